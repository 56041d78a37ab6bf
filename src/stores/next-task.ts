/**
 * The browser's next task. What takes its time and can wait stays out of the one that is under way, so that a press is answered
 * in between (TBT counts what a task takes beyond 50 ms).
 */
export function nextTask(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}
