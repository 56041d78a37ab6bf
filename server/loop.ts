export interface Loop {
  /** Stops after the turn that is under way, if there is one. */
  stop(): Promise<void>
}

/**
 * Repeats a turn of work, `pauseMs` after the last one ended, never two at once. A turn that throws is
 * reported and the loop goes on: the next turn finds the same work again.
 */
export function startLoop(
  pauseMs: number,
  turn: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Loop {
  let stopped = false
  let wake: (() => void) | undefined
  const running = (async () => {
    while (!stopped) {
      await turn().catch(onError)
      if (stopped) break
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, pauseMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  })()
  return {
    stop: async () => {
      stopped = true
      wake?.()
      await running
    },
  }
}
