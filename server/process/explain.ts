import { ConfigError } from '../config.ts'
import { StartError } from './start-error.ts'

/** What to print of an error that ends a start: its instructions if an operator can follow them; otherwise the whole error. */
export function explain(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StartError) return error.message
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop that one, or choose another: PORT=4322 npm start`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=4321 npm start`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${address ?? ''} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.`
  }
  return error
}
