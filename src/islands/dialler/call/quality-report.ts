import { callQuality } from '#lib/api/call-quality.ts'
import { authorised } from '#session/api.ts'
import { userOf } from '#session/follow-session.ts'
import { $session } from '#session/session.ts'
import { isAnswered } from '#voice/call.ts'
import { $call, $sample } from './call.ts'
import { type CallReport, measure, noMeasures, reportOf } from './call-measures.ts'
import { dropReport, keepReport, keptReport } from './unsent-report.ts'

/** Delay before the second try; later ones wait for the network or the next page. */
const retryMs = 3000

/** Background work: failures show no message. */
async function send(id: string, measured: CallReport): Promise<'done' | 'unheard'> {
  const result = await authorised(
    callQuality,
    { params: { id }, body: measured },
    // The page may be closing, and its session may have ended.
    { keepalive: true, skipLogoutOnFail: true },
  )
  const unheard =
    !result.ok && (result.status === 0 || [401, 429].includes(result.status) || result.status >= 500)
  if (unheard) return 'unheard'
  dropReport(id)
  return 'done'
}

/** Stores the report before sending it: the network may be down, or the page may close. */
async function report(callId: string, measured: CallReport): Promise<void> {
  const userId = userOf($session.get())
  if (userId !== null) keepReport({ userId, callId, endedAtMs: Date.now(), measured })
  if ((await send(callId, measured)) === 'done') return
  await new Promise(resolve => setTimeout(resolve, retryMs))
  if (userId === null || keptReport(userId, Date.now())?.callId === callId) await send(callId, measured)
}

function sendKept(): void {
  const kept = keptReport(userOf($session.get()), Date.now())
  if (kept !== null) void send(kept.callId, kept.measured)
}

/** Reports each answered call that has an id once: at its end, when back online, or on the next page. */
export function followMeasures(): void {
  let measures = noMeasures
  $sample.listen(sample => {
    if (sample !== null && isAnswered($call.get())) measures = measure(measures, sample)
  })
  $call.listen((call, before) => {
    if (call.state === 'preparing' && before?.state !== 'preparing') measures = noMeasures
    if (call.state !== 'ended' || before?.state === 'ended') return
    const measured = reportOf(measures)
    if (call.talkedMs !== null && call.callId !== null && measured.seconds > 0)
      void report(call.callId, measured)
    measures = noMeasures
  })
  window.addEventListener('online', sendKept)
  const stop = $session.subscribe(({ status }) => {
    if (status === 'loading') return
    sendKept()
    // `subscribe` calls back before `stop` is assigned.
    queueMicrotask(() => stop())
  })
}
