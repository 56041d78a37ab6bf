import type { Call as VendorCall } from '@twilio/voice-sdk'
import type { LineSample, LineWarning } from './quality.ts'
import { createSoundMeter } from './sound-meter.ts'
import { connectionOf } from './vendor-insides.ts'

const warningOf: ReadonlyMap<string, LineWarning> = new Map([
  ['low-mos', 'score'],
  ['high-packet-loss', 'loss'],
  ['high-packets-lost-fraction', 'loss'],
  ['high-jitter', 'jitter'],
  ['high-rtt', 'round_trip'],
])

/** The fields we read of the client's sample, once a second; some are missing at first. */
interface VendorSample {
  readonly mos?: number | null
  readonly packetsLostFraction?: number
  readonly packetsReceived: number
  readonly jitter?: number
  readonly rtt?: number | null
}

export function createLineSampler(
  call: VendorCall,
  onSample: (sample: LineSample) => void,
): (sample: VendorSample) => void {
  const meter = createSoundMeter(connectionOf(call))
  const raised = new Set<string>()
  call.on('warning', (name: string) => raised.add(name))
  call.on('warning-cleared', (name: string) => raised.delete(name))
  return sample => {
    const warnings = [...raised].flatMap(name => warningOf.get(name) ?? [])
    void meter.measure().then(({ spoken, heard, sentLossPercent }) =>
      onSample({
        mos: measured(sample.mos),
        lossPercent: measured(sample.packetsLostFraction) ?? 0,
        sentLossPercent,
        jitterMs: measured(sample.jitter) ?? 0,
        roundTripMs: measured(sample.rtt),
        // NaN if no packet ever arrived.
        packetsReceived: measured(sample.packetsReceived) ?? 0,
        spokenLevel: spoken,
        heardLevel: heard,
        warnings,
      }),
    )
  }
}

/** Duplicate packets make the loss negative. */
function measured(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : null
}
