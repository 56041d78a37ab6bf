import { type CallRecord, call as callEndpoint, calls as callsEndpoint } from '#lib/api/calls.ts'
import { type Call, isLive } from '#lib/rules/call.ts'
import { type CallEnding, endingText, isOrdinary } from '#lib/rules/call-endings.ts'
import { callSummary, whyUnanswered } from '#lib/rules/call-summary.ts'
import { formatLength } from '#lib/rules/duration.ts'
import { authorised } from './api.ts'
import { refreshBalance } from './balance.ts'
import { $call } from './call.ts'
import { followCallEnded, showCallEnded } from './call-ended.ts'
import { tellNotFree } from './free-call.ts'
import { dismissNotice, type Notice, notify } from './notice.ts'
import { refreshRecents } from './recents.ts'
import { $session } from './session.ts'

type Ended = Extract<Call, { readonly state: 'ended' }>

/** Waits between two questions for a call's record; the last one repeats. */
const retryMs = [200, 400, 800, 1500, 3000]
/** When the record is not there by then, the page says what it knows itself. */
const patienceMs = 2000
/** After so long without an answer the page says that it cannot reach the service. */
const silenceMs = 60_000
/** Then it asks no more: the history will tell. */
const ceilingMs = 180_000
const requestTimeoutMs = 5000
/** How long the words about a failed attempt stand before those about the call before it come back. */
const failedAttemptMs = 4000

const checking = 'Checking what was charged.'
const seeHistory = 'Your history will show what was charged.'
const outOfReach = `We cannot reach the service. ${seeHistory}`

/** What the page has to say about a call that has a record. */
interface Account {
  readonly ended: Ended
  notice: Notice | null
  /** It has been on screen. */
  told: boolean
  /** There is nothing to add. */
  settled: boolean
}

/** Of the last call that has a record. */
let latest: Account | null = null
/** Runs while the words about a failed attempt stand. */
let comingBack: ReturnType<typeof setTimeout> | undefined

function toneOf(ended: Ended): Notice['tone'] {
  if (isOrdinary(ended.ending)) return 'info'
  return ended.talkedMs === null ? 'bad' : 'warn'
}

function isAboutConnection({ kind }: CallEnding): boolean {
  return (
    kind === 'client_disconnected' ||
    kind === 'connection_interrupted' ||
    kind === 'connection_lost' ||
    kind === 'service_restarted'
  )
}

/** What the page can say by itself. What was charged it does not know of a call that has a record. */
function firstWords(ended: Ended): string {
  const text = endingText(ended.ending)
  if (ended.talkedMs !== null && isOrdinary(ended.ending))
    return `${text} Talked ${formatLength(Math.ceil(ended.talkedMs / 1000))}.`
  // The server knows what was charged when it says why a call ended.
  if (ended.callId === null || ended.ending.kind === 'refused') return text
  return text.replace('Nothing was charged.', checking)
}

function firstNotice(ended: Ended): Notice {
  const remedy = remedyOf(ended)
  return {
    tone: toneOf(ended),
    text: firstWords(ended),
    ...(remedy && { remedy }),
    ...(isAboutConnection(ended.ending) && { about: 'connection' as const }),
  }
}

function remedyOf(ended: Ended): Notice['remedy'] {
  switch (ended.ending.kind) {
    case 'unrecognised_number':
      return 'number'
    case 'microphone_denied':
      return 'microphone'
    default:
      return undefined
  }
}

/** What asking for a record led to; `unsettled` is a call the server has not done with. */
type Answer =
  | { readonly kind: 'settled'; readonly record: CallRecord }
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'silence' }
  /** Signed out, or not this user's: the same question gets the same answer. */
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

/** Asks until the record is settled, whatever else the page does meanwhile, or until asking is of no use. */
async function awaitRecord(ended: Ended, onSilence: () => void): Promise<Answer> {
  const sinceMs = performance.now()
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(ended)
    const waitedMs = performance.now() - sinceMs
    if (answer.kind === 'settled' || answer.kind === 'refused' || waitedMs >= ceilingMs) return answer
    if (answer.kind === 'silence' && waitedMs >= silenceMs) onSilence()
    const ms = retryMs[Math.min(tries, retryMs.length - 1)]
    await new Promise(resolve => setTimeout(resolve, ms))
  }
}

/** Puts the words about the last call on screen, unless they give way to another call or a failed attempt. */
function show(account: Account): void {
  if (account !== latest || account.notice === null) return
  if (isLive($call.get()) || comingBack !== undefined) return
  notify(account.notice)
  account.told = true
}

function say(account: Account, notice: Notice): void {
  if (account.notice?.text === notice.text) return
  account.notice = notice
  account.told = false
  show(account)
}

/** The page's own view of an end, where the record knows of an answer that the page never heard. */
function endingFor(record: CallRecord, { ending, talkedMs }: Ended): CallEnding {
  if (talkedMs !== null || record.answeredAt === null) return ending
  if (ending.kind === 'cancelled') return { kind: 'caller_hung_up' }
  return ending.kind === 'no_answer' ? { kind: 'callee_hung_up' } : ending
}

/** The end of a call of which this page saw no more than that it was over. */
function asRecorded(record: CallRecord, ended: Ended): Ended {
  if (record.answeredAt !== null || ended.ending.kind !== 'no_answer') return ended
  return { ...ended, ending: whyUnanswered(record, ended.ending) }
}

function finalNotice(answer: Answer, ended: Ended): Notice {
  const first = firstNotice(ended)
  switch (answer.kind) {
    case 'settled': {
      const { about: _, ...rest } = firstNotice(asRecorded(answer.record, ended))
      // A fault of this page looks like a cancelled call to the server; the page knows better.
      if (
        answer.record.answeredAt === null &&
        answer.record.outcome === 'cancelled' &&
        !isOrdinary(ended.ending)
      )
        return { ...rest, text: endingText(ended.ending).replace(checking, 'Nothing was charged.') }
      return { ...rest, text: callSummary(answer.record, endingFor(answer.record, ended)) }
    }
    case 'silence':
      return { tone: 'warn', text: outOfReach, about: 'connection' }
    case 'unsettled':
    case 'refused':
      return { ...first, text: first.text.replace(checking, seeHistory) }
    default:
      return answer satisfies never
  }
}

/**
 * Follows a call until its record is settled, also through later calls: the balance depends on it.
 * @param shownOver the call that the page has meanwhile, while which the receipt may be seen
 */
export async function settle(ended: Ended, shownOver: Call = ended): Promise<void> {
  const account: Account = { ended, notice: null, told: false, settled: false }
  latest = account
  const sayFirst = () => say(account, firstNotice(ended))
  const timer = setTimeout(sayFirst, isOrdinary(ended.ending) ? patienceMs : 0)
  // The server's own words about a call stay.
  const inItsWords = ended.ending.kind === 'refused'
  const answer = await awaitRecord(ended, () => {
    if (!inItsWords) say(account, finalNotice({ kind: 'silence' }, ended))
  })
  clearTimeout(timer)
  account.settled = true
  say(account, inItsWords ? firstNotice(ended) : finalNotice(answer, ended))
  // Of a call that was answered; of the others there is nothing more to say.
  if (answer.kind === 'settled' && answer.record.answeredAt !== null)
    void showCallEnded(shownOver, answer.record, ended.callee, endingFor(answer.record, ended))
  refreshRecents()
  await refreshBalance()
}

/** Says why an attempt of which there is no record failed; words that an earlier call still owes come back. */
function tellFailure(ended: Ended, rang: boolean): void {
  if (ended.ending.kind === 'not_free') tellNotFree()
  notify(firstNotice(ended))
  if (rang) latest = null
  if (latest === null) return
  comingBack = setTimeout(() => {
    comingBack = undefined
    if (latest !== null) show(latest)
  }, failedAttemptMs)
}

/**
 * The server names a call that is over, and that this page knew by no name when it ended: where it saw nothing but the end,
 * the record tells why.
 */
export function tellLate(callId: string): void {
  const call = $call.get()
  if (call.state === 'ended' && call.callId === null && call.ending.kind === 'no_answer')
    void settle({ ...call, callId })
}

function begin(): void {
  clearTimeout(comingBack)
  comingBack = undefined
  if (latest?.settled && latest.told) latest = null
  dismissNotice()
}

/**
 * Says after each call why it ended, how long it was and what it cost; the server's record decides. The
 * words give way to the next call, the record does not.
 */
export function followCalls(): void {
  followCallEnded()
  // This comes a moment after the phone: what has ended by then is told all the same.
  $call.subscribe((call, before) => {
    if (call.state === 'ended') {
      if (call.talkedMs !== null || call.callId !== null) void settle(call)
      else tellFailure(call, before?.state !== 'preparing')
    } else if (isLive(call) && (before === undefined || !isLive(before))) begin()
  })
}
