import { minuteMs } from '#lib/time.ts'
import type { Db } from '../db/port.ts'
import type { Clock } from '../process/clock.ts'
import type { Facts } from './facts.ts'
import type { Observer } from './port.ts'

export const samplePauseMs = minuteMs

export interface SampleTools {
  readonly db: Db
  readonly clock: Clock
  readonly facts: () => Promise<Facts | null>
  readonly process: () => { readonly calls: number; readonly sockets: number }
  readonly name: string
  readonly version: string
}

export interface Samples {
  readonly observe: Observer
  /** Writes what happened since the last sample. After a failed write it is included in the next one. */
  write(stopped?: boolean): Promise<void>
}

/** A summary of this process for the ops page, beyond what other tables hold. */
export function createSamples({ db, clock, facts, process, name, version }: SampleTools): Samples {
  const startedAt = clock.now()
  let meterLagMs = 0
  let webhookFailures = 0
  let troubles = new Map<string, { errors: number; operation: string; at: string }>()
  return {
    observe: seen => {
      if (seen.kind === 'minute_charged') meterLagMs = Math.max(meterLagMs, Math.round(seen.lagMs))
      // An unknown provider is a probe, not a failure.
      if (seen.kind === 'webhook_refused' && seen.provider !== 'unknown') webhookFailures += 1
      if (seen.kind === 'provider_asked' && seen.failed) {
        const errors = (troubles.get(seen.provider)?.errors ?? 0) + 1
        troubles.set(seen.provider, { errors, operation: seen.operation, at: clock.now().toISOString() })
      }
    },
    write: async (stopped = false) => {
      const known = await facts()
      const { calls, sockets } = process()
      const taken = { meterLagMs, webhookFailures, troubles }
      ;[meterLagMs, webhookFailures, troubles] = [0, 0, new Map()]
      try {
        await db.query(
          `insert into ops_sample (process, version, started_at, at, stopped, meter_lag_ms, jobs_due, carried_calls,
             sockets, webhook_failures, providers)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb)`,
          [
            name,
            version,
            startedAt,
            clock.now(),
            stopped,
            Math.max(taken.meterLagMs, known?.meterDueMs ?? 0),
            known?.jobsDue ?? 0,
            calls,
            sockets,
            taken.webhookFailures,
            JSON.stringify(Object.fromEntries(taken.troubles)),
          ],
        )
      } catch (error) {
        meterLagMs = Math.max(meterLagMs, taken.meterLagMs)
        webhookFailures += taken.webhookFailures
        for (const [provider, trouble] of taken.troubles) {
          const later = troubles.get(provider)
          troubles.set(provider, { ...trouble, ...later, errors: trouble.errors + (later?.errors ?? 0) })
        }
        throw error
      }
    },
  }
}
