import twilio from 'twilio'
import { lineCheckPurpose } from '#lib/api/line-check.ts'
import type { Log } from '../../http/log.ts'
import type { CallControl } from '../port.ts'
import { legState, talkedMs, verificationOutcome } from './endings.ts'
import { userOf } from './identity.ts'
import { dialTwiml, hangUpTwiml, lineCheckTwiml, rejectTwiml } from './twiml.ts'
import { webhookPaths } from './webhook-paths.ts'

/** A request of the vendor's, as it came. */
export interface VendorRequest {
  /** Path and query, before anything rewrote it. */
  readonly path: string
  /** The form, still as text. */
  readonly body: string
  /** What the header `X-Twilio-Signature` holds; empty without one. */
  readonly signature: string
}

export type VendorAnswer =
  | { readonly kind: 'twiml'; readonly body: string }
  /** The same over a fault of ours, of which the vendor is not to speak to a caller. */
  | { readonly kind: 'failed'; readonly body: string }
  | { readonly kind: 'taken' }
  /** `forged`: not signed for our address; `foreign`: signed, and of another account or application. */
  | { readonly kind: 'refused'; readonly why: 'forged' | 'foreign' | 'unreadable' }

export interface WebhookTools {
  readonly accountSid: string
  readonly authToken: string
  readonly appSid: string
  /** E.164 with the plus. */
  readonly publicNumber: string
  /** What the vendor knows us by, and signs: not what a request says of its host. */
  readonly publicUrl: string
  readonly log: Log
  readonly control: CallControl
  /** A caller's leg is over: whatever call it was of is looked at. */
  readonly onLegOver: (leg: string) => Promise<void>
}

export interface Webhooks {
  /** A browser calls: who it is and where to, answered with what to do. */
  voice(request: VendorRequest): Promise<VendorAnswer>
  /** Something became of a call, or of one that verifies a number. @throws what the books throw: it is told again, or asked */
  status(request: VendorRequest): Promise<VendorAnswer>
}

type Form = Readonly<Record<string, string | string[]>>

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const callSid = /^CA[0-9a-f]{32}$/i

/** What the vendor asks and tells over HTTP. Parameters that we do not know are part of the signature and passed over. */
export function createWebhooks(tools: WebhookTools): Webhooks {
  const { control, log, publicUrl, publicNumber } = tools

  /** The signed form and query, or why they are not believed. */
  function believe({ path, body, signature }: VendorRequest) {
    const form = readForm(body)
    const url = publicUrl + path
    if (!twilio.validateRequest(tools.authToken, signature, url, form)) return 'forged'
    if (form['AccountSid'] !== tools.accountSid) return 'foreign'
    return { form, query: new URL(url).searchParams }
  }

  return {
    async voice(request) {
      const believed = believe(request)
      if (typeof believed === 'string') return { kind: 'refused', why: believed }
      const { form } = believed
      if (form['ApplicationSid'] !== tools.appSid) return { kind: 'refused', why: 'foreign' }
      const userId = userOf(textOf(form, 'From').replace(/^client:/, ''))
      const leg = textOf(form, 'CallSid')
      if (userId === undefined || !callSid.test(leg)) return { kind: 'refused', why: 'unreadable' }
      const callerId = textOf(form, 'CallerId')
      const attempt = textOf(form, 'Attempt')
      try {
        if (textOf(form, 'Purpose') === lineCheckPurpose) {
          const admitted = await control.admitLineCheck(userId)
          const body = admitted
            ? lineCheckTwiml(`${publicUrl}${webhookPaths.status}?check=over`)
            : rejectTwiml()
          return { kind: 'twiml', body }
        }
        const placement = await control.place({
          userId,
          to: textOf(form, 'To'),
          callerId: callerId === '' ? undefined : callerId,
          attempt: attempt === '' ? undefined : attempt,
          purpose: textOf(form, 'Purpose') === 'test' ? 'test' : 'call',
          expectsFree: textOf(form, 'Free') === 'expected',
          leg,
        })
        if (placement.kind === 'refuse') return { kind: 'twiml', body: rejectTwiml() }
        const { callId, to, from = publicNumber, limitMs } = placement
        const statusUrl = `${publicUrl}${webhookPaths.status}?call=${callId}`
        const overUrl = `${statusUrl}&dial=over`
        return { kind: 'twiml', body: dialTwiml({ to, from, limitMs, statusUrl, overUrl }) }
      } catch (error) {
        // An error would have the vendor speak of an application error, at our cost.
        log.error({ err: error }, 'placing a call failed')
        return { kind: 'failed', body: rejectTwiml() }
      }
    },

    async status(request) {
      const believed = believe(request)
      if (typeof believed === 'string') return { kind: 'refused', why: believed }
      const { form, query } = believed
      const callId = query.get('call')
      const verificationId = query.get('verification')
      if (verificationId !== null && uuid.test(verificationId)) {
        const result = textOf(form, 'VerificationStatus')
        // News on the way to a result is none: what is taken for the end is not asked about any more.
        if (result !== 'success' && result !== 'failed') return { kind: 'taken' }
        const callStatus = textOf(form, 'CallStatus') || undefined
        const outcome = verificationOutcome(result === 'success', callStatus)
        await control.verificationEnded({ verificationId, outcome })
        return { kind: 'taken' }
      }
      if (query.has('check')) return { kind: 'twiml', body: hangUpTwiml() }
      if (callId === null) {
        const state = legState(textOf(form, 'CallStatus'))
        if (state?.kind === 'ended') await tools.onLegOver(textOf(form, 'CallSid'))
        return { kind: 'taken' }
      }
      if (!uuid.test(callId)) return { kind: 'refused', why: 'unreadable' }
      if (query.has('dial')) {
        try {
          await tellOfDial(callId, form)
        } catch (error) {
          // An error would have the vendor speak of an application error, at our cost. The call is asked about.
          log.error({ err: error, callId }, 'taking the end of a call failed')
          return { kind: 'failed', body: hangUpTwiml() }
        }
        return { kind: 'twiml', body: hangUpTwiml() }
      }
      const sipCode = textOf(form, 'SipResponseCode')
      await tell(callId, textOf(form, 'CallStatus'), textOf(form, 'CallDuration'), sipCode)
      return { kind: 'taken' }
    },
  }

  /**
   * Why it failed is only told by the telephone's leg, before this or after it. Where the vendor made none, since it does
   * not call this number, this country or from this caller ID (13224, 13227, 13214), nothing else will be told.
   */
  function tellOfDial(callId: string, form: Form): Promise<void> {
    const status = textOf(form, 'DialCallStatus')
    if (['completed', 'no-answer', 'canceled'].includes(status))
      return tell(callId, status, textOf(form, 'DialCallDuration'))
    if (status === 'failed' && textOf(form, 'DialCallSid') === '')
      return control.report({ kind: 'ended', callId, answeredMs: null, end: 'failed' })
    return control.report({ kind: 'over', callId })
  }

  async function tell(callId: string, status: string, duration: string, sipCode = ''): Promise<void> {
    const seconds = numberIn(duration)
    const state = legState(status, { sipCode: numberIn(sipCode), seconds })
    switch (state?.kind) {
      case 'ringing':
      case 'answered':
        return control.report({ kind: state.kind, callId })
      case 'ended': {
        if (!state.answered)
          return control.report({ kind: 'ended', callId, answeredMs: null, end: state.end })
        // Without its length the vendor has to be asked.
        if (seconds === undefined) return control.report({ kind: 'over', callId })
        return control.report({ kind: 'ended', callId, answeredMs: talkedMs(seconds), end: state.end })
      }
      default:
        return
    }
  }
}

/** A name that is given several times keeps all its values: they are all signed. */
function readForm(body: string): Form {
  const form: Record<string, string | string[]> = Object.create(null)
  const given = new URLSearchParams(body)
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name)
    form[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return form
}

/** Undefined for what is no whole number. */
function numberIn(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Empty where it is missing, or given several times. */
function textOf(form: Form, name: string): string {
  const value = form[name]
  return typeof value === 'string' ? value : ''
}
