import twilio from 'twilio'
import { lineCheckPurpose } from '#lib/api/line-check.ts'
import { uuidPattern } from '#lib/uuid.ts'
import type { Log } from '../../http/log.ts'
import { expectedRate } from '../expected-rate.ts'
import type { CallControl } from '../port.ts'
import { legState, talkedMs, verificationOutcome } from './endings.ts'
import { identified } from './identity.ts'
import { dialTwiml, hangUpTwiml, lineCheckTwiml, rejectTwiml } from './twiml.ts'
import { webhookPaths } from './webhook-paths.ts'

export interface VendorRequest {
  /** Path and query, before any rewrite. */
  readonly path: string
  readonly body: string
  /** Header `X-Twilio-Signature`; empty without one. */
  readonly signature: string
}

export type VendorAnswer =
  | { readonly kind: 'twiml'; readonly body: string }
  /** The same TwiML after an error of ours, so that the vendor does not announce the error to the caller. */
  | { readonly kind: 'failed'; readonly body: string }
  | { readonly kind: 'taken' }
  /** `forged`: not signed for our address; `foreign`: signed, but by another account or application. */
  | { readonly kind: 'refused'; readonly why: 'forged' | 'foreign' | 'unreadable' }

export interface WebhookTools {
  readonly accountSid: string
  readonly authToken: string
  readonly appSid: string
  /** The address that the vendor signs; not the host that a request names. */
  readonly publicUrl: string
  readonly log: Log
  readonly control: CallControl
  readonly onLegOver: (leg: string) => Promise<void>
}

export interface Webhooks {
  voice(request: VendorRequest): Promise<VendorAnswer>
  /** A call, or a verification call, made progress. @throws database errors: the vendor repeats it, or it is polled */
  status(request: VendorRequest): Promise<VendorAnswer>
}

type Form = Readonly<Record<string, string | string[]>>

/** Whether a URL of ours is the one that is asked what follows the end of dialling. */
function isOfDialling(url: string): boolean {
  return URL.canParse(url) && new URL(url).searchParams.get('dial') === 'over'
}

const callSid = /^CA[0-9a-f]{32}$/i

/** The vendor's webhooks. Unknown parameters are part of the signature and otherwise ignored. */
export function createWebhooks(tools: WebhookTools): Webhooks {
  const { control, log, publicUrl } = tools

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
      const caller = identified(textOf(form, 'From').replace(/^client:/, ''))
      const leg = textOf(form, 'CallSid')
      if (caller === undefined || !callSid.test(leg)) return { kind: 'refused', why: 'unreadable' }
      // The answer to the end of dialling was lost, so the vendor asks the fallback. The telephone must not ring again; polling
      // finds the end.
      if (isOfDialling(textOf(form, 'ErrorUrl'))) return { kind: 'twiml', body: hangUpTwiml() }
      const callerId = textOf(form, 'CallerId')
      const attempt = textOf(form, 'Attempt')
      try {
        if (textOf(form, 'Purpose') === lineCheckPurpose) {
          const admitted = await control.admitLineCheck(caller.userId, caller.sessionId)
          const body = admitted
            ? lineCheckTwiml(`${publicUrl}${webhookPaths.status}?check=over`)
            : rejectTwiml()
          return { kind: 'twiml', body }
        }
        const placement = await control.place({
          ...caller,
          to: textOf(form, 'To'),
          callerId: callerId === '' ? undefined : callerId,
          attempt: attempt === '' ? undefined : attempt,
          purpose: textOf(form, 'Purpose') === 'test' ? 'test' : 'call',
          expectsFree: textOf(form, 'Free') === 'expected',
          expectsRateMicroUsd: expectedRate(textOf(form, 'Rate')),
          leg,
        })
        if (placement.kind === 'refuse') return { kind: 'twiml', body: rejectTwiml() }
        const { callId, to, from, limitMs } = placement
        const statusUrl = `${publicUrl}${webhookPaths.status}?call=${callId}`
        const overUrl = `${statusUrl}&dial=over`
        return { kind: 'twiml', body: dialTwiml({ to, from, limitMs, statusUrl, overUrl }) }
      } catch (error) {
        // On an error status the vendor would announce an application error, at our cost.
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
      if (verificationId !== null && uuidPattern.test(verificationId)) {
        const result = textOf(form, 'VerificationStatus')
        const callStatus = textOf(form, 'CallStatus') || undefined
        // Without a result the call is still in progress: a call reported as ended is not polled any more.
        if (result !== 'success' && result !== 'failed') {
          if (callStatus === 'in-progress')
            await control.verificationProgressed({ verificationId, state: 'answered' })
          return { kind: 'taken' }
        }
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
      if (!uuidPattern.test(callId)) return { kind: 'refused', why: 'unreadable' }
      if (query.has('dial')) {
        try {
          await reportDial(callId, form)
        } catch (error) {
          // On an error status the vendor would announce an application error, at our cost. Polling finds the end.
          log.error({ err: error, callId }, 'applying the end of a call failed')
          return { kind: 'failed', body: hangUpTwiml() }
        }
        return { kind: 'twiml', body: hangUpTwiml() }
      }
      const sipCode = textOf(form, 'SipResponseCode')
      await reportStatus(callId, textOf(form, 'CallStatus'), textOf(form, 'CallDuration'), sipCode)
      return { kind: 'taken' }
    },
  }

  /**
   * Only the callee's leg reports why it failed, before or after this. If the vendor made no such leg, since it does not
   * call this number, this country or from this caller ID (13224, 13227, 13214), nothing else will be reported.
   */
  function reportDial(callId: string, form: Form): Promise<void> {
    const status = textOf(form, 'DialCallStatus')
    if (['completed', 'no-answer', 'canceled'].includes(status))
      return reportStatus(callId, status, textOf(form, 'DialCallDuration'))
    if (status === 'failed' && textOf(form, 'DialCallSid') === '')
      return control.report({ kind: 'ended', callId, answeredMs: null, end: 'failed' })
    return control.report({ kind: 'over', callId })
  }

  async function reportStatus(callId: string, status: string, duration: string, sipCode = ''): Promise<void> {
    const seconds = numberIn(duration)
    const state = legState(status, { sipCode: numberIn(sipCode), seconds })
    switch (state?.kind) {
      case 'ringing':
      case 'answered':
        return control.report({ kind: state.kind, callId })
      case 'ended': {
        if (!state.answered)
          return control.report({ kind: 'ended', callId, answeredMs: null, end: state.end })
        // Without a duration the vendor must be polled.
        if (seconds === undefined) return control.report({ kind: 'over', callId })
        return control.report({ kind: 'ended', callId, answeredMs: talkedMs(seconds), end: state.end })
      }
      default:
        return
    }
  }
}

/** A repeated name keeps all its values: they are all signed. */
function readForm(body: string): Form {
  const form: Record<string, string | string[]> = Object.create(null)
  const given = new URLSearchParams(body)
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name)
    form[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return form
}

function numberIn(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Empty if missing or repeated. */
function textOf(form: Form, name: string): string {
  const value = form[name]
  return typeof value === 'string' ? value : ''
}
