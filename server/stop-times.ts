/**
 * How long the parts of a stop may take, in milliseconds: each within the next, and all within what `deploy/systemd` and
 * `deploy/compose.yaml` wait before they kill. docs/operating/scale-out.md tells them to who operates.
 */
export const stopTimes = {
  /**
   * A process that stops goes on serving and says of itself that it should not be sent more (`/readyz`). Whoever balances
   * has to ask more often than that.
   */
  drain: 3000,
  /** Then it takes no new connection, and a request that has begun to come has this long to come to its end. */
  asking: 3000,
  /** What was asked to its end has this long to be answered: a checkout gives the payment provider 25 s. */
  answering: 30_000,
  /** A mail, and what else is a job, has this long; then it is cut off and is another process's. */
  jobs: 2000,
  /** Other work has as long as it gives whoever it asks, 25 s; what is left then is found by the next process. */
  work: 26_000,
  /** A stop that takes longer than this is a fault: the process ends and the next one settles. */
  longest: 45_000,
} as const
