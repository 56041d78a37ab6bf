import { join } from 'node:path'
import { StartError } from '../process/start-error.ts'

/** Path of the admin socket, which only the same system user can open. */
export function adminSocketPath(dataDirectory: string): string {
  return join(dataDirectory, 'operator.sock')
}

/** Max length of a Unix socket's path on Linux, in bytes. */
const longestPath = 107

/** @throws StartError when the data directory's path is too long for the socket */
export function requireUsableSocketPath(dataDirectory: string): void {
  if (Buffer.byteLength(adminSocketPath(dataDirectory)) <= longestPath) return
  throw new StartError(
    `The path of the data directory ${dataDirectory} is too long for a socket. Set DATA_DIR to a shorter path.`,
  )
}
