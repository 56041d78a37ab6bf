/** Milliseconds, each within the next, and all within the kill timeouts of `deploy/` (docs/operating/scale-out.md). */
export const stopTimes = {
  /** The process still serves but reports itself as not ready (`/readyz`). The load balancer must check more often than this. */
  drain: 3000,
  /** Then no new connections; a request that is being received has this long to arrive. */
  asking: 3000,
  /** Time to answer received requests: a checkout waits up to 25 s for the payment provider. */
  answering: 30_000,
  /** Time for e-mails and other jobs. Then they are cut off and left to another process, unless only a reply is missing. */
  jobs: 2000,
  /** Other work waits up to 25 s for others; what is left then is found by the next process. */
  work: 26_000,
  /** A longer shutdown is a fault: the process exits and the next one settles its calls. */
  longest: 45_000,
} as const
