import { type CallRecord, call as callEndpoint, calls as callsEndpoint } from '#lib/api/calls.ts'
import { type Call, isLive } from '#lib/rules/call.ts'
import { endingText, isOrdinary } from '#lib/rules/call-endings.ts'
import { callSummary } from '#lib/rules/call-summary.ts'
import { formatLength } from '#lib/rules/duration.ts'
import { authorised } from './api.ts'
import { refreshBalance } from './balance.ts'
import { $call } from './call.ts'
import { dismissNotice, type Notice, notify } from './notice.ts'

type Ended = Extract<Call, { readonly state: 'ended' }>

/** Waits between two questions for a call's record; the last one repeats for as long as it takes. */
const retryMs = [200, 400, 800, 1500, 3000]
/** When the record is not there by then, the page says what it knows itself. */
const patienceMs = 2000
const requestTimeoutMs = 5000

/** Grows with each press of Call, so that the words about an earlier call are never put over a later one. */
let turn = 0

function toneOf(ended: Ended): Notice['tone'] {
  if (isOrdinary(ended.ending)) return 'info'
  return ended.talkedMs === null ? 'bad' : 'warn'
}

/** What the page can say by itself. */
function firstWords(ended: Ended): string {
  const text = endingText(ended.ending)
  return ended.talkedMs !== null && isOrdinary(ended.ending)
    ? `${text} Talked ${formatLength(Math.ceil(ended.talkedMs / 1000))}.`
    : text
}

async function fetchRecord(ended: Ended): Promise<CallRecord | undefined> {
  const options = { skipLogoutOnFail: true, timeoutMs: requestTimeoutMs }
  if (ended.callId !== null) {
    const result = await authorised(callEndpoint, { params: { id: ended.callId } }, options)
    return result.ok ? result.value : undefined
  }
  const result = await authorised(callsEndpoint, { query: {} }, options)
  return result.ok ? result.value.calls.find(record => record.to === ended.callee.e164) : undefined
}

/** The settled record, however long the service takes to come back; undefined when the next call began. */
async function awaitRecord(ended: Ended, mine: number): Promise<CallRecord | undefined> {
  for (let tries = 0; mine === turn; tries += 1) {
    const record = await fetchRecord(ended)
    if (record?.state === 'ended') return record
    const ms = retryMs[Math.min(tries, retryMs.length - 1)]
    await new Promise(resolve => setTimeout(resolve, ms))
  }
  return undefined
}

async function conclude(ended: Ended): Promise<void> {
  turn += 1
  const mine = turn
  const remedy = remedyOf(ended)
  const say = (text: string) => {
    if (mine === turn) notify({ tone: toneOf(ended), text, ...(remedy && { remedy }) })
  }
  const talked = ended.talkedMs !== null
  const patience = talked && isOrdinary(ended.ending) ? patienceMs : 0
  const timer = setTimeout(() => say(firstWords(ended)), patience)
  if (!talked) return
  const record = await awaitRecord(ended, mine)
  clearTimeout(timer)
  if (record === undefined || mine !== turn) return
  if (ended.ending.kind !== 'refused') say(callSummary(record, ended.ending))
  await refreshBalance()
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

/** Says after each call why it ended, how long it was and what it cost; the server's record decides. */
export function followCalls(): void {
  $call.listen((call, before) => {
    if (call.state === 'ended') void conclude(call)
    if (!isLive(call) || (before !== undefined && isLive(before))) return
    turn += 1
    dismissNotice()
  })
}

/** Whether the page is in a call, for what must not happen during one. */
export function markLiveCalls(): void {
  $call.subscribe(call => {
    const { dataset } = document.documentElement
    if (isLive(call)) dataset['call'] = 'live'
    else delete dataset['call']
  })
}
