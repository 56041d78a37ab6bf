import type { Log } from '../http/log.ts'

const freshMs = 5 * 60_000

/**
 * What is left of what calls are paid with beforehand. Asked each five minutes at most, in the background, when somebody reads the
 * metrics; where it cannot be told it is not known. No alert fires for what is not known: so the log says when that begins and
 * when it ends.
 * @param ask US dollars; undefined where nothing is told of them
 */
export function followPrepaid(
  ask: () => Promise<number | undefined>,
  monotonicMs: () => number,
  log: Pick<Log, 'info' | 'warn'>,
): () => number | undefined {
  let left: number | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let isMissed = false
  /** Where it was never told without a fault, as by the local exchange, nobody misses it. */
  const note = (found: number | undefined, err?: unknown) => {
    if (found !== undefined) {
      if (isMissed) log.info('the balance by which the voice vendor is paid is told again')
      isMissed = false
    } else if (!isMissed && (left !== undefined || err !== undefined)) {
      log.warn({ err }, 'the balance by which the voice vendor is paid is not told')
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
