import { minuteMs } from '#lib/time.ts'
import type { Log } from '../http/log.ts'

const freshMs = 5 * minuteMs

/**
 * Reads the carrier's prepaid balance with the metrics, in the background, at most every five minutes. After a failure
 * it is unknown. No alert fires then, so the log records when that begins and ends.
 * @param ask US dollars; undefined if not available
 */
export function followPrepaid(
  ask: () => Promise<number | undefined>,
  monotonicMs: () => number,
  log: Pick<Log, 'info' | 'warn'>,
): () => number | undefined {
  let left: number | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let isMissed = false
  /** Never available without an error, as on the local exchange: not logged. */
  const note = (found: number | undefined, err?: unknown) => {
    if (found !== undefined) {
      if (isMissed) log.info('the carrier reports our prepaid balance again')
      isMissed = false
    } else if (!isMissed && (left !== undefined || err !== undefined)) {
      log.warn({ err }, 'the carrier does not report our prepaid balance')
      isMissed = true
    }
    left = found
  }
  return () => {
    if (monotonicMs() - askedAtMs >= freshMs) {
      askedAtMs = monotonicMs()
      void ask().then(note, (error: unknown) => note(undefined, error))
    }
    return left
  }
}
