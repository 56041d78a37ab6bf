import { Histogram, type Registry } from 'prom-client'
import type { Observation } from './port.ts'

type Measured = Extract<Observation, { readonly kind: 'call_measured' }>

/** Measured by callers' pages, one observation per call. No labels: a page could send anything and create series. */
export function createQualityMeters(registry: Registry): (measured: Measured) => void {
  const meter = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `farline_${name}`, help, buckets, registers: [registry] })
  const mos = meter('call_mos', 'Mean opinion score measured by pages, 1 to 5', [1.5, 2, 2.5, 3, 3.5, 4, 4.5])
  const loss = meter(
    'call_packet_loss_ratio',
    'Share of packets that did not reach the caller',
    [0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5],
  )
  const jitter = meter(
    'call_jitter_seconds',
    'How unevenly packets reached the caller',
    [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5],
  )
  const roundTrip = meter(
    'call_round_trip_seconds',
    "Round trip from the caller's page",
    [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1, 2],
  )
  const heard = meter(
    'call_heard_ratio',
    'Share of measured seconds with sound from the other end',
    [0, 0.5, 0.9, 0.99, 1],
  )
  return measured => {
    if (measured.mos !== null) mos.observe(measured.mos)
    if (measured.lossPercent !== null) loss.observe(measured.lossPercent / 100)
    if (measured.jitterMs !== null) jitter.observe(measured.jitterMs / 1000)
    if (measured.roundTripMs !== null) roundTrip.observe(measured.roundTripMs / 1000)
    if (measured.seconds > 0) heard.observe(Math.min(1, measured.heardSeconds / measured.seconds))
  }
}
