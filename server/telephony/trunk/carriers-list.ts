import type { Carrier } from './carriers.ts'
import { readSecretFile } from './secret-file.ts'

/** Kamailio's dispatcher asks and uses every address but those with this flag, which may only send to us. */
const sourceOnly = 4

/**
 * The edge's list of carriers (`EDGE_CARRIERS`), in the format of Kamailio's dispatcher. It holds passwords.
 * @throws StartError when a file with a password cannot be read
 */
export function carriersList(carriers: readonly Carrier[]): string {
  return carriers
    .flatMap(carrier => [
      ...carrier.addresses.map(address => `${carrier.set} ${address} 0 0 ${attributesOf(carrier)}`),
      ...carrier.sources.map(source => `${carrier.set} sip:${source} ${sourceOnly} 0`),
    ])
    .map(line => `${line}\n`)
    .join('')
}

function attributesOf({ calls, callsPerSecond, credentials }: Carrier): string {
  const limits = `calls=${calls};cps=${callsPerSecond}`
  if (credentials === undefined) return limits
  // In hexadecimal, since a password may hold what separates attributes.
  const password = Buffer.from(readSecretFile(credentials.passwordFile)).toString('hex')
  return `${limits};user=${credentials.user};password=${password}`
}
