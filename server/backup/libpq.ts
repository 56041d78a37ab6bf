import { existsSync } from 'node:fs'
import type { PostgresAddress } from '../db/postgres-address.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

/**
 * Environment for PostgreSQL's programs, with the same trusted authorities as the server: PGSSLROOTCERT where it is
 * set, otherwise the system's. For these libpq has the value `system` from version 16 on; before that it needs a file.
 * @param version major version of libpq
 */
export function libpqVariables(
  { host, port, user, password, database, ssl }: PostgresAddress,
  environment: Environment,
  version: () => number,
  exists: (path: string) => boolean = existsSync,
): Environment {
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: ssl === false ? 'disable' : ssl,
    PGAPPNAME: 'farline backup',
    PGOPTIONS: '-c statement_timeout=0',
    ...(ssl === 'verify-full' ? rootCertificate(environment, version, exists) : {}),
  }
}

function rootCertificate(
  environment: Environment,
  version: () => number,
  exists: (path: string) => boolean,
): Environment {
  if ((environment['PGSSLROOTCERT'] ?? '') !== '') return {}
  const own = environment['NODE_EXTRA_CA_CERTS'] ?? ''
  // A private authority, by which Node trusts the database.
  if (own !== '') return { PGSSLROOTCERT: own }
  if (version() >= 16) return { PGSSLROOTCERT: 'system' }
  const bundle = bundles.find(exists)
  return bundle === undefined ? {} : { PGSSLROOTCERT: bundle }
}
