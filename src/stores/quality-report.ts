import { callQuality } from '#lib/api/call-quality.ts'
import { isAnswered } from '#lib/rules/call.ts'
import { type CallReport, measure, noMeasures, reportOf } from '#lib/rules/call-measures.ts'
import { authorised } from './api.ts'
import { $call, $sample } from './call.ts'

/** Before the second and last try. */
const retryMs = 3000

/** It is worth one more try, and no word: nobody has asked for it. */
async function report(id: string, measured: CallReport): Promise<void> {
  const send = () =>
    authorised(
      callQuality,
      { params: { id }, body: measured },
      // The page may be on its way out, and its session may be over.
      { keepalive: true, skipLogoutOnFail: true },
    )
  const first = await send()
  if (first.ok || (first.status !== 0 && first.status < 500)) return
  await new Promise(resolve => setTimeout(resolve, retryMs))
  await send()
}

/** Tells the server once what was measured of each answered call that it has a name for. */
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
}
