import { failure, success } from '#lib/result.ts'
import type { TwilioSettings } from '../../config.ts'
import type { CallControl, CarrierBooks, Telephony } from '../port.ts'
import { issueAccessToken } from './access-token.ts'
import { type ApiClientTools, createApiClient, TwilioUnavailable } from './api-client.ts'
import { ask } from './ask.ts'
import { inspectLegs } from './legs.ts'
import { webhookPaths } from './webhook-paths.ts'
import { createWebhooks, type VendorAnswer, type VendorRequest } from './webhooks.ts'

export interface TwilioTools extends ApiClientTools {
  readonly publicUrl: string
  /** How long a browser's permission to call lives, in seconds. Default 600. */
  readonly tokenTtlSeconds?: number
  readonly books: CarrierBooks
}

/** The vendor's network, and what it asks and tells us over HTTP. */
export interface Twilio extends Telephony {
  /** Calls are answered from now on. Once. */
  open(control: CallControl): void
  /** The vendor's request to this path; undefined where it is none of its paths, or before `open`. */
  receive(path: keyof typeof webhookPaths, request: VendorRequest): Promise<VendorAnswer | undefined>
}

/**
 * Twilio Programmable Voice: the browser's leg is placed by the vendor's client, and asks our voice webhook, whose
 * answer rings the telephone's leg. Any process answers, hears of and asks about any call.
 */
export function createTwilio(settings: TwilioSettings, tools: TwilioTools): Twilio {
  const { books, clock, log, publicUrl, tokenTtlSeconds: ttlSeconds = 600 } = tools
  const client = createApiClient(settings, tools)
  let control: CallControl | undefined
  let webhooks: ReturnType<typeof createWebhooks> | undefined

  const inspect: Telephony['inspect'] = async callId => {
    const leg = await books.legOf(callId)
    return leg === undefined ? { kind: 'unknown' } : inspectLegs(client, leg, clock)
  }

  /** The call of a leg that is over is over too; how it ended, its other leg tells. */
  async function onLegOver(leg: string): Promise<void> {
    const callId = await books.liveCallOf(leg)
    if (callId === undefined) return
    const known = await inspect(callId)
    if (known.kind === 'ended') await control?.report({ ...known, callId })
  }

  /** The vendor keeps a number once for the whole account. @returns whether it was kept */
  async function removeCallerId(number: string): Promise<boolean> {
    const kept = await ask('list caller ids', () =>
      client.outgoingCallerIds.list({ phoneNumber: number, limit: 20 }),
    )
    for (const { sid } of kept.value)
      await ask('remove a caller id', () => client.outgoingCallerIds(sid).remove(), 'unknown')
    return kept.value.length > 0
  }

  const requestCode = (verificationId: string, number: string) =>
    ask(
      'verify a number',
      () =>
        client.validationRequests.create({
          phoneNumber: number,
          friendlyName: verificationId,
          statusCallback: `${publicUrl}${webhookPaths.status}?verification=${verificationId}`,
          statusCallbackMethod: 'POST',
        }),
      'alreadyVerified',
    )

  return {
    carriage: 'shared',

    open(callControl) {
      control = callControl
      webhooks = createWebhooks({ ...settings, publicUrl, log, control, onLegOver })
    },

    receive: async (path, request) => webhooks?.[path](request),

    async issueVoiceToken(userId) {
      const token = await issueAccessToken({ ...settings, ttlSeconds }, userId, clock)
      return { token, ttlSeconds, route: { kind: 'vendor' } }
    },

    async hangUp(callId) {
      const leg = await books.legOf(callId)
      if (leg === undefined) return
      // Also while the telephone rings: a call within a Dial is in progress to the vendor.
      await ask('hang up', () => client.calls(leg).update({ status: 'completed' }), 'over', 'unknown')
    },

    async setLimit(callId, limitMs) {
      const leg = await books.legOf(callId)
      if (leg === undefined) return
      const timeLimit = Math.floor(limitMs / 1000)
      // The telephone's leg, which is the one that the first limit was set for.
      const called = await ask('list the legs of a call', () =>
        client.calls.list({ parentCallSid: leg, limit: 20, pageSize: 20 }),
      )
      for (const { sid } of called.value)
        await ask('set a limit', () => client.calls(sid).update({ timeLimit }), 'over', 'unknown')
    },

    inspect,

    isTestNumber: () => false,

    async verifyNumber({ verificationId, number }) {
      try {
        let asked = await requestCode(verificationId, number)
        if (asked === 'alreadyVerified' && !(await books.isCallerId(number))) {
          // Left over from somebody who removed it here.
          await removeCallerId(number)
          asked = await requestCode(verificationId, number)
        }
        if (asked === 'alreadyVerified') {
          log.warn({ verificationId }, 'a number is verified for somebody else already')
          return failure('unavailable')
        }
        return success({ code: asked.value.validationCode })
      } catch (error) {
        if (!(error instanceof TwilioUnavailable)) log.error({ err: error }, 'verifying a number failed')
        return failure('unavailable')
      }
    },

    async forgetNumber(number) {
      try {
        await removeCallerId(number)
        return success(undefined)
      } catch (error) {
        if (!(error instanceof TwilioUnavailable)) throw error
        return failure('unavailable')
      }
    },

    // Calls go on without this process; others hear of them.
    close: async () => undefined,
  }
}
