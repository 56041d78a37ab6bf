import { existsSync } from 'node:fs'
import type { PostgresAddress } from '../db/postgres-address.ts'

/** The environment that a program inherits: where other programs are, and what else libpq is to know. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where systems keep the authorities that they trust: Debian, Fedora, Alpine. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

/**
 * What PostgreSQL's programs are told of a database, so that they trust whom the server trusts. A certificate is checked
 * against PGSSLROOTCERT where that is set; otherwise against the authorities of the system, for which libpq has a word
 * from version 16 on and wants a file before that.
 * @param version major version of libpq, asked where it matters
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
  // An authority of one's own, by which Node trusts the database.
  if (own !== '') return { PGSSLROOTCERT: own }
  if (version() >= 16) return { PGSSLROOTCERT: 'system' }
  const bundle = bundles.find(exists)
  return bundle === undefined ? {} : { PGSSLROOTCERT: bundle }
}
