const freshMs = 5 * 60_000

/**
 * What is left of what calls are paid with beforehand. Asked each five minutes at most, in the background, when somebody reads the
 * metrics; where it cannot be told it is not known.
 * @param ask US dollars
 */
export function followPrepaid(
  ask: () => Promise<number | undefined>,
  monotonicMs: () => number,
): () => number | undefined {
  let left: number | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (monotonicMs() - askedAtMs >= freshMs) {
      askedAtMs = monotonicMs()
      void ask().then(
        found => {
          left = found
        },
        () => {
          left = undefined
        },
      )
    }
    return left
  }
}
