import type { Services } from '../context.ts'

/**
 * Runs one piece of a turn by itself: what it throws is logged and stops none of the others, and the next turn tries it
 * again.
 * @returns undefined where it threw
 */
export async function isolated<T>(
  { log }: Pick<Services, 'log'>,
  piece: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    log.error({ err: error, ...piece }, 'a part of retention failed')
    return undefined
  }
}
