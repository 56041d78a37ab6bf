/** Splits long work, so that a press is handled in between (TBT counts the part of a task beyond 50 ms). */
export function nextTask(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}
