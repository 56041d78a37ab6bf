import { StartError } from '../process/start-error.ts'

export interface PostgresAddress {
  /** A host name, an IP address, or the directory of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly ssl: 'require' | 'prefer' | 'verify-full' | false
  readonly applicationName: string
}

const sslModes: Readonly<Record<string, PostgresAddress['ssl']>> = {
  disable: false,
  allow: 'prefer',
  prefer: 'prefer',
  require: 'require',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
}

/**
 * Reads `postgres://user:password@host:port/database?sslmode=...&application_name=...`, with libpq's defaults but none of
 * its environment variables. `?host=/directory` names a Unix socket.
 * @throws StartError when a part is missing or unknown; never contains the password
 */
export function readPostgresAddress(text: string): PostgresAddress {
  const url = parse(text)
  for (const name of url.searchParams.keys()) {
    if (name === 'host' || name === 'sslmode' || name === 'application_name') continue
    throw new StartError(
      `DATABASE_URL has an unknown parameter, ${name}. Known are host, sslmode and application_name.`,
    )
  }
  const user = decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (user === '' || database === '') {
    throw new StartError(
      'DATABASE_URL must name a user and a database: postgres://user:password@host/database',
    )
  }
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1')
  const sslMode = url.searchParams.get('sslmode') ?? 'prefer'
  const ssl = sslModes[sslMode]
  if (ssl === undefined) {
    throw new StartError(
      `DATABASE_URL has an unknown sslmode. Use one of ${Object.keys(sslModes).join(', ')}.`,
    )
  }
  return {
    host: host === '' ? 'localhost' : host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    password: decodeURIComponent(url.password),
    database,
    ssl: host.startsWith('/') ? false : ssl,
    applicationName: url.searchParams.get('application_name') ?? 'farline',
  }
}

function parse(text: string): URL {
  try {
    const url = new URL(text)
    decodeURIComponent(url.username + url.password + url.pathname + url.hostname)
    return url
  } catch {
    throw new StartError(
      'DATABASE_URL is not a valid address. Write postgres://user:password@host/database, and percent-encode ' +
        'special characters of the password.',
    )
  }
}
