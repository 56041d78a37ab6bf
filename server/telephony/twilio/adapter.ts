import { failure, success } from '#lib/result.ts'
import type { TwilioSettings } from '../../config.ts'
import type { CallControl, CarrierBooks, Telephony } from '../port.ts'
import { issueAccessToken } from './access-token.ts'
import { type ApiClientTools, createApiClient, TwilioUnavailable } from './api-client.ts'
import { ask } from './ask.ts'
import { legState } from './endings.ts'
import { fetchLeg, inspectLegs, listTelephoneLegs } from './legs.ts'
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
  /** What is left on the account, in US dollars; undefined where it is kept in another currency. @throws TwilioUnavailable */
  prepaidUsd(): Promise<number | undefined>
}

/** A UUID: what a number is called that was verified through us. */
const verificationName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Twilio Programmable Voice: the browser's leg is placed by the vendor's client, and asks our voice webhook, whose
 * answer rings the telephone's leg. Any process answers, hears of and asks about any call.
 */
export function createTwilio(settings: TwilioSettings, tools: TwilioTools): Twilio {
  const { books, clock, log, publicUrl, tokenTtlSeconds: ttlSeconds = 600 } = tools
  const client = createApiClient(settings, tools)
  // What is the account's own is asked as the account, as the doctor does: nothing promises it to an API key.
  const account = createApiClient(
    { ...settings, apiKey: settings.accountSid, apiSecret: settings.authToken },
    tools,
  )
  let control: CallControl | undefined
  let webhooks: ReturnType<typeof createWebhooks> | undefined

  const inspect: Telephony['inspect'] = async callId => {
    const leg = await books.legOf(callId)
    return leg === undefined ? { kind: 'unknown' } : inspectLegs(client, leg, clock)
  }

  /** The call of a leg that is over is over too; how it ended, its other leg tells, and why it failed may still be told. */
  async function onLegOver(leg: string): Promise<void> {
    const callId = await books.liveCallOf(leg)
    if (callId === undefined) return
    const known = await inspect(callId)
    if (known.kind !== 'ended' && known.kind !== 'over') return
    const isTold = known.kind === 'ended' && known.end !== 'failed' && known.end !== 'busy'
    await control?.report(isTold ? { ...known, callId } : { kind: 'over', callId })
  }

  /** The vendor keeps a number once for the whole account, by the name of the verification where it was one of ours. */
  async function namesOf(number: string) {
    const kept = await ask('list caller ids', () =>
      client.outgoingCallerIds.list({ phoneNumber: number, limit: 20 }),
    )
    return kept.value
  }

  /** What the account's owner added without us stays. @returns whether something was removed */
  async function removeCallerId(number: string): Promise<boolean> {
    if (number === settings.publicNumber) return false
    const ours = (await namesOf(number)).filter(({ friendlyName }) => verificationName.test(friendlyName))
    for (const { sid } of ours)
      await ask('remove a caller id', () => client.outgoingCallerIds(sid).remove(), 'unknown')
    return ours.length > 0
  }

  const goesOn = async (leg: string) => {
    const caller = await fetchLeg(client, leg)
    return caller !== undefined && legState(caller.status)?.kind !== 'ended'
  }

  /** `lost`: not answered, so that the number may ring. */
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
      'invalidTo',
      'notANumber',
      'invalidNumber',
      'noRoute',
      'countryNotAllowed',
      'blocked',
    ).catch((error: unknown) => {
      if (error instanceof TwilioUnavailable && !error.surelyNotDone) return 'lost' as const
      throw error
    })

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
      const called = await listTelephoneLegs(client, leg)
      if (called.length === 0 && (await goesOn(leg)))
        throw new TwilioUnavailable('a limit is set when the telephone rings')
      for (const { sid } of called)
        await ask('set a limit', () => client.calls(sid).update({ timeLimit }), 'over', 'unknown')
    },

    inspect,

    isTestNumber: () => false,

    async verifyNumber({ verificationId, number }) {
      try {
        let asked = await requestCode(verificationId, number)
        if (asked === 'alreadyVerified' && !(await books.isCallerId(number))) {
          // Left over from somebody who removed it here.
          if (await removeCallerId(number)) asked = await requestCode(verificationId, number)
        }
        switch (asked) {
          case 'alreadyVerified':
            log.warn({ verificationId }, 'a number is verified for somebody else already')
            return failure('not_verifiable')
          case 'invalidTo':
          case 'notANumber':
          case 'invalidNumber':
            return failure('invalid_number')
          case 'noRoute':
          case 'countryNotAllowed':
          case 'blocked':
            log.warn({ verificationId, refusal: asked }, 'a number is not called by the vendor')
            return failure('unsupported_destination')
          case 'lost':
            return failure('lost')
          default:
            return success({ code: asked.value.validationCode })
        }
      } catch (error) {
        if (!(error instanceof TwilioUnavailable)) log.error({ err: error }, 'verifying a number failed')
        return failure('unavailable')
      }
    },

    async isVerified({ verificationId, number }) {
      return (await namesOf(number)).some(({ friendlyName }) => friendlyName === verificationId)
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

    async prepaidUsd() {
      const { balance, currency } = (await ask('read the balance', () => account.balance.fetch())).value
      const left = Number.parseFloat(balance)
      return currency === 'USD' && Number.isFinite(left) ? left : undefined
    },

    // Calls go on without this process; others hear of them.
    close: async () => undefined,
  }
}
