import { callQuality } from '#lib/api/call-quality.ts'
import { isAnswered } from '#lib/rules/call.ts'
import { type CallReport, measure, noMeasures, reportOf } from '#lib/rules/call-measures.ts'
import { authorised } from './api.ts'
import { $call, $sample } from './call.ts'
import { userOf } from './follow-session.ts'
import { $session } from './session.ts'
import { dropReport, keepReport, keptReport } from './unsent-report.ts'

/** Before the second try; later ones wait for the network, or for the next page. */
const retryMs = 3000

/** No word about it: nobody has asked for it. */
async function send(id: string, measured: CallReport): Promise<'done' | 'unheard'> {
  const result = await authorised(
    callQuality,
    { params: { id }, body: measured },
    // The page may be on its way out, and its session may be over.
    { keepalive: true, skipLogoutOnFail: true },
  )
  const unheard =
    !result.ok && (result.status === 0 || [401, 429].includes(result.status) || result.status >= 500)
  if (unheard) return 'unheard'
  dropReport(id)
  return 'done'
}

/** Kept before it is sent: a call may have ended because the network was gone, or the page closes meanwhile. */
async function report(callId: string, measured: CallReport): Promise<void> {
  const userId = userOf($session.get())
  if (userId !== null) keepReport({ userId, callId, endedAtMs: Date.now(), measured })
  if ((await send(callId, measured)) === 'done') return
  await new Promise(resolve => setTimeout(resolve, retryMs))
  if (userId === null || keptReport(userId, Date.now())?.callId === callId) await send(callId, measured)
}

/** Sends what an earlier call, of this page or another, has left. */
function sendKept(): void {
  const kept = keptReport(userOf($session.get()), Date.now())
  if (kept !== null) void send(kept.callId, kept.measured)
}

/**
 * Tells the server once what was measured of each answered call that it has a name for: as it ends, else when the network is
 * back, or on the next page with a dialler.
 */
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
    // The subscription tells what is known at once, before it can be ended.
    queueMicrotask(() => stop())
  })
}
