import type { Services } from '../../context.ts'

/** Logs an error so that the other parts of the run go on. @returns undefined on an error */
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
