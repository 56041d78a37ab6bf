import postgres from 'postgres'
import type { PostgresAddress } from './postgres-address.ts'

/** Why connecting failed, in a sentence for the operator. Never contains the password. */
export function explainConnectionError(address: PostgresAddress, error: unknown): string {
  const { host, port, user, database } = address
  const server = `The PostgreSQL at ${host.startsWith('/') ? host : `${host}:${port}`}`
  const { code = '', message } = error as NodeJS.ErrnoException
  switch (code) {
    case '28P01':
      return `${server} rejects the password of user ${user}. Correct it in DATABASE_URL.`
    case '28000':
      return `${server} rejects the login (${message}). Create the user, allow it in pg_hba.conf, or correct DATABASE_URL.`
    case '3D000':
      return `${server} has no database ${database}. Create it (createdb -O ${user} ${database}), or correct DATABASE_URL.`
    case '53300':
      return `${server} has no free connection. Raise its max_connections, or lower DATABASE_POOL.`
    case '57P03':
      return `${server} is starting or stopping (${message}). Try again in a moment.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${server} cannot be reached: nothing listens there. Start it, or correct DATABASE_URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${server} cannot be reached: the name ${host} does not resolve. Correct it in DATABASE_URL.`
    case 'ECONNRESET':
      return `${server} closed the connection. Check that it is PostgreSQL, and offers TLS if DATABASE_URL requires it.`
    case 'CONNECTION_DESTROYED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${server} does not answer. Check the address in DATABASE_URL and the network in between.`
    default:
      return error instanceof postgres.PostgresError || message !== ''
        ? `${server} cannot be used (${message}).`
        : `${server} cannot be used (${code}).`
  }
}
