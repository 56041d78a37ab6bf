import { type CallRecord, call as callEndpoint, calls as callsEndpoint } from '#lib/api/calls.ts'
import { callSummary, whyUnanswered } from '#lib/calls/call-summary.ts'
import { formatLength } from '#lib/calls/duration.ts'
import { chargeTexts } from '#lib/calls/end-reason-texts.ts'
import { type EndReason, endReasonText, isOrdinary } from '#lib/calls/end-reasons.ts'
import { minuteMs } from '#lib/time.ts'
import { authorised } from '#session/api.ts'
import { $session } from '#session/session.ts'
import { type Call, isLive } from '#voice/call.ts'
import { refreshBalance } from '../call/balance.ts'
import { $call } from '../call/call.ts'
import { markFreeCallRejected } from '../call/free-call.ts'
import { refreshRecents } from '../contacts/recents.ts'
import { dismissNotice, type Notice, notify } from '../notice.ts'
import { forgetRates } from '../number/rate.ts'
import { afterCall } from './after-call-texts.ts'
import { followCallEnded, isReceiptOpen, showCallEnded } from './call-ended.ts'

type Ended = Extract<Call, { readonly state: 'ended' }>

/** Before the first request for a call's record: the page shows the end first, and the server may not know of it yet. */
const firstMs = 100
/** Delays between requests for a call's record; the last one repeats. */
const retryMs = [200, 400, 800, 1500, 3000]
/** If the record has not arrived by then, the page shows what it knows itself. */
const recordWaitMs = 2000
/** After this time without an answer, the page says that the service cannot be reached. */
const silenceMs = minuteMs
/** Polling stops after this time; the history will show the charge. */
const ceilingMs = 180_000
const requestTimeoutMs = 5000
/** How long the message about a failed attempt stays before the previous call's message returns. */
const failedAttemptMs = 4000

interface Account {
  readonly ended: Ended
  notice: Notice | null
  shown: boolean
  /** The notice is final. */
  settled: boolean
}

let latest: Account | null = null
let comingBack: ReturnType<typeof setTimeout> | undefined

function toneOf(ended: Ended): Notice['tone'] {
  if (isOrdinary(ended.endReason)) return 'info'
  return ended.talkedMs === null ? 'bad' : 'warn'
}

function isAboutConnection({ kind }: EndReason): boolean {
  return (
    kind === 'client_disconnected' ||
    kind === 'connection_interrupted' ||
    kind === 'connection_lost' ||
    kind === 'service_restarted'
  )
}

/** The text before the record arrives. The page does not know the charge of a call that has a record. */
function firstText(ended: Ended): string {
  const text = endReasonText(ended.endReason)
  if (ended.talkedMs !== null && isOrdinary(ended.endReason))
    return afterCall.talked({ ending: text, length: formatLength(Math.ceil(ended.talkedMs / 1000)) })
  if (ended.callId === null || isServerMessage(ended.endReason)) return text
  return text.replace(chargeTexts.nothing, chargeTexts.checking)
}

function firstNotice(ended: Ended): Notice {
  const remedy = remedyOf(ended)
  return {
    tone: toneOf(ended),
    text: firstText(ended),
    ...(remedy && { remedy }),
    ...(isAboutConnection(ended.endReason) && { about: 'connection' as const }),
  }
}

function remedyOf(ended: Ended): Notice['remedy'] {
  switch (ended.endReason.kind) {
    case 'unrecognised_number':
      return 'number'
    case 'microphone_denied':
      return 'microphone'
    case 'no_credits':
    case 'start_no_credits':
    case 'needs_credits':
      return 'credits'
    default:
      return undefined
  }
}

function isServerMessage({ kind }: EndReason): boolean {
  return kind === 'refused' || kind === 'needs_credits'
}

type Answer =
  | { readonly kind: 'settled'; readonly record: CallRecord }
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'silence' }
  /** Signed out, or another user's call: retrying cannot help. */
  | { readonly kind: 'refused' }

async function ask({ callId, callee }: Ended): Promise<Answer> {
  if ($session.get().status === 'signed_out') return { kind: 'refused' }
  const options = { skipLogoutOnFail: true, timeoutMs: requestTimeoutMs }
  const result =
    callId === null
      ? await authorised(callsEndpoint, { query: {} }, options)
      : await authorised(callEndpoint, { params: { id: callId } }, options)
  if (!result.ok) return { kind: [401, 403, 404].includes(result.status) ? 'refused' : 'silence' }
  const record = 'calls' in result.value ? result.value.calls.find(isTo(callee.e164)) : result.value
  return record?.state === 'ended' ? { kind: 'settled', record } : { kind: 'unsettled' }
}

const isTo = (e164: string) => (record: CallRecord) => record.to === e164

const passed = (ms: number | undefined) => new Promise(resolve => setTimeout(resolve, ms))

/** Polls until the record is settled, the request is refused, or `ceilingMs` has passed. */
async function awaitRecord(ended: Ended, onSilence: () => void): Promise<Answer> {
  const sinceMs = performance.now()
  await passed(firstMs)
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(ended)
    const waitedMs = performance.now() - sinceMs
    if (answer.kind === 'settled' || answer.kind === 'refused' || waitedMs >= ceilingMs) return answer
    if (answer.kind === 'silence' && waitedMs >= silenceMs) onSilence()
    const ms = retryMs[Math.min(tries, retryMs.length - 1)]
    await passed(ms)
  }
}

function show(account: Account): void {
  if (account !== latest || account.notice === null) return
  if (isLive($call.get()) || comingBack !== undefined) return
  if (account.notice.inReceipt && !isReceiptOpen()) return
  notify(account.notice)
  account.shown = true
}

function showNotice(account: Account, notice: Notice): void {
  if (account.notice?.text === notice.text && account.notice.inReceipt === notice.inReceipt) return
  account.notice = notice
  account.shown = false
  show(account)
}

/** Corrects the page's end reason if the record has an answer that the page did not see. */
function endReasonFor(record: CallRecord, { endReason, talkedMs }: Ended): EndReason {
  if (talkedMs !== null || record.answeredAt === null) return endReason
  if (endReason.kind === 'cancelled') return { kind: 'caller_hung_up' }
  return endReason.kind === 'no_answer' ? { kind: 'callee_hung_up' } : endReason
}

/** Takes the end reason from the record if the page saw only that the call was over. */
function asRecorded(record: CallRecord, ended: Ended): Ended {
  if (record.answeredAt !== null || ended.endReason.kind !== 'no_answer') return ended
  return { ...ended, endReason: whyUnanswered(record, ended.endReason) }
}

function finalNotice(answer: Answer, ended: Ended): Notice {
  const first = firstNotice(ended)
  switch (answer.kind) {
    case 'settled': {
      const { about: _, ...rest } = firstNotice(asRecorded(answer.record, ended))
      // To the server, a fault of this page looks like a cancelled call.
      if (
        answer.record.answeredAt === null &&
        answer.record.outcome === 'cancelled' &&
        !isOrdinary(ended.endReason)
      )
        return {
          ...rest,
          text: endReasonText(ended.endReason).replace(chargeTexts.checking, chargeTexts.nothing),
        }
      return { ...rest, text: callSummary(answer.record, endReasonFor(answer.record, ended)) }
    }
    case 'silence':
      return { tone: 'warn', text: afterCall.outOfReach, about: 'connection' }
    case 'unsettled':
    case 'refused':
      return { ...first, text: first.text.replace(chargeTexts.checking, afterCall.seeHistory) }
    default:
      return answer satisfies never
  }
}

/**
 * Polls even during later calls: the balance depends on it. The feedback prompt follows the balance, so it comes after the
 * receipt.
 * @param shownOver the receipt is shown only while this is the page's call
 */
export async function settle(ended: Ended, shownOver: Call = ended): Promise<void> {
  const account: Account = { ended, notice: null, shown: false, settled: false }
  latest = account
  const showFirst = () => showNotice(account, firstNotice(ended))
  const timer = setTimeout(showFirst, isOrdinary(ended.endReason) ? recordWaitMs : 0)
  const hasServerMessage = isServerMessage(ended.endReason)
  const answer = await awaitRecord(ended, () => {
    if (!hasServerMessage) showNotice(account, finalNotice({ kind: 'silence' }, ended))
  })
  refreshRecents()
  const inReceipt = await showReceipt(answer, ended, shownOver)
  clearTimeout(timer)
  account.settled = true
  const notice = hasServerMessage ? firstNotice(ended) : finalNotice(answer, ended)
  showNotice(account, inReceipt ? { ...notice, inReceipt } : notice)
  await refreshBalance()
}

/** @returns whether the user sees a receipt, so that the ending is told there */
async function showReceipt(answer: Answer, ended: Ended, shownOver: Call): Promise<boolean> {
  if (answer.kind !== 'settled' || answer.record.answeredAt === null) return false
  return showCallEnded(shownOver, answer.record, ended.callee, endReasonFor(answer.record, ended))
}

/** Says why an attempt without a record failed, then restores an earlier call's notice if still due. */
function notifyFailure(ended: Ended, rang: boolean): void {
  if (ended.endReason.kind === 'not_free') markFreeCallRejected()
  if (isServerMessage(ended.endReason)) forgetRates()
  notify(firstNotice(ended))
  if (rang) latest = null
  if (latest === null) return
  comingBack = setTimeout(() => {
    comingBack = undefined
    if (latest !== null) show(latest)
  }, failedAttemptMs)
}

/** Settles a call that ended before this page knew its id. The record gives the reason. */
export function settleLateCall(callId: string): void {
  const call = $call.get()
  if (call.state === 'ended' && call.callId === null && call.endReason.kind === 'no_answer')
    void settle({ ...call, callId })
}

function begin(): void {
  clearTimeout(comingBack)
  comingBack = undefined
  if (latest?.settled && latest.shown) latest = null
  dismissNotice()
}

/** Says how each call ended and what it cost. The next call replaces the notice but does not stop the polling. */
export function followCalls(): void {
  followCallEnded()
  // This code loads after the phone, so a call may have ended already.
  $call.subscribe((call, before) => {
    if (call.state === 'ended') {
      if (call.talkedMs !== null || call.callId !== null) void settle(call)
      else notifyFailure(call, before?.state !== 'preparing')
    } else if (isLive(call) && (before === undefined || !isLive(before))) begin()
  })
}
