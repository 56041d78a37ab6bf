export interface Loop {
  /** Waits for the current turn, if any. */
  stop(): Promise<void>
}

/** Starts each turn `pauseMs` after the last one ended, never two at once. A failed turn is reported and the loop continues. */
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
