import type { TwilioSettings } from '../../config.ts'
import type { CallControl, CarrierBooks, Telephony } from '../port.ts'
import { issueAccessToken } from './access-token.ts'
import { type ApiClientTools, createApiClient, TwilioUnavailable } from './api-client.ts'
import { ask } from './ask.ts'
import { createCallerIds } from './caller-ids.ts'
import { legState } from './endings.ts'
import { fetchLeg, inspectLegs, listLiveLegs, listTelephoneLegs } from './legs.ts'
import { publicNumbersOf } from './public-numbers.ts'
import type { webhookPaths } from './webhook-paths.ts'
import { createWebhooks, type VendorAnswer, type VendorRequest } from './webhooks.ts'

export interface TwilioTools extends ApiClientTools {
  readonly publicUrl: string
  readonly tokenTtlSeconds?: number
  readonly books: CarrierBooks
}

export interface Twilio extends Telephony {
  open(control: CallControl): void
  /** Answers a request to one of `webhookPaths`; undefined for any other, or before `open`. */
  receive(path: keyof typeof webhookPaths, request: VendorRequest): Promise<VendorAnswer | undefined>
  /** The account's balance in US dollars; undefined if it is in another currency. @throws TwilioUnavailable */
  prepaidUsd(): Promise<number | undefined>
}

/** The vendor's client calls our voice webhook, whose answer rings the callee. Any process can serve any call. */
export function createTwilio(settings: TwilioSettings, tools: TwilioTools): Twilio {
  const { books, clock, log, publicUrl, tokenTtlSeconds: ttlSeconds = 600 } = tools
  const client = createApiClient(settings, tools)
  // Account resources are requested with the account's own secret, as the doctor does: API keys are not guaranteed access.
  const account = createApiClient(
    { ...settings, apiKey: settings.accountSid, apiSecret: settings.authToken },
    tools,
  )
  const publicNumbers = publicNumbersOf(settings)
  const callerIds = createCallerIds(client, { books, log, publicNumbers, publicUrl })
  let control: CallControl | undefined
  let webhooks: ReturnType<typeof createWebhooks> | undefined

  const inspect: Telephony['inspect'] = async callId => {
    const leg = await books.legOf(callId)
    return leg === undefined ? { kind: 'unknown' } : inspectLegs(client, leg, clock)
  }

  /** The call is over with its caller leg. The callee's leg knows how; why it failed may still arrive. */
  async function onLegOver(leg: string): Promise<void> {
    const callId = await books.liveCallOf(leg)
    if (callId === undefined) return
    const known = await inspect(callId)
    if (known.kind !== 'ended' && known.kind !== 'over') return
    const isKnownEnd = known.kind === 'ended' && known.end !== 'failed' && known.end !== 'busy'
    await control?.report(isKnownEnd ? { ...known, callId } : { kind: 'over', callId })
  }

  const goesOn = async (leg: string) => {
    const caller = await fetchLeg(client, leg)
    return caller !== undefined && legState(caller.status)?.kind !== 'ended'
  }

  return {
    carriage: 'shared',
    publicNumbers,

    open(callControl) {
      control = callControl
      webhooks = createWebhooks({ ...settings, publicUrl, log, control, onLegOver })
    },

    receive: async (path, request) => webhooks?.[path](request),

    async issueVoiceToken(userId, sessionId) {
      const token = await issueAccessToken({ ...settings, ttlSeconds }, userId, clock, sessionId)
      return { token, ttlSeconds, route: { kind: 'vendor' } }
    },

    async hangUp(callId) {
      const leg = await books.legOf(callId)
      if (leg === undefined) return
      // Works while ringing too: the vendor counts a leg within a Dial as in progress.
      await ask('hang up', () => client.calls(leg).update({ status: 'completed' }), 'over', 'unknown')
      // The callee's leg ends with the caller's, unless the vendor has lost track of it.
      for (const { sid, status } of await listTelephoneLegs(client, leg)) {
        if (legState(status)?.kind === 'ended') continue
        await ask('hang up', () => client.calls(sid).update({ status: 'completed' }), 'over', 'unknown')
      }
    },

    async setLimit(callId, limitMs) {
      const leg = await books.legOf(callId)
      if (leg === undefined) return
      const timeLimit = Math.floor(limitMs / 1000)
      // The callee's leg, which has the first limit.
      const called = await listTelephoneLegs(client, leg)
      if (called.length === 0 && (await goesOn(leg)))
        throw new TwilioUnavailable('a limit is set when the telephone rings')
      for (const { sid } of called)
        await ask('set a limit', () => client.calls(sid).update({ timeLimit }), 'over', 'unknown')
    },

    inspect,
    listLive: () => listLiveLegs(client),

    isTestNumber: () => false,

    ...callerIds,

    async prepaidUsd() {
      const { balance, currency } = (await ask('read the balance', () => account.balance.fetch())).value
      const left = Number.parseFloat(balance)
      return currency === 'USD' && Number.isFinite(left) ? left : undefined
    },

    close: async () => undefined,
  }
}
