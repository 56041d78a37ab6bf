import { readFileSync } from 'node:fs'
import { StartError } from '../../process/start-error.ts'

/** @returns its text without white space around it. @throws StartError when it cannot be read */
export function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
