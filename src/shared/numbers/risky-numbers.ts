export const riskyPrefixes: readonly string[] = [
  '+1242', // Bahamas
  '+1246', // Barbados
  '+1264', // Anguilla
  '+1268', // Antigua and Barbuda
  '+1284', // British Virgin Islands
  '+1340', // US Virgin Islands
  '+1345', // Cayman Islands
  '+1441', // Bermuda
  '+1473', // Grenada
  '+1649', // Turks and Caicos Islands
  '+1658', // Jamaica
  '+1664', // Montserrat
  '+1721', // Sint Maarten
  '+1758', // St Lucia
  '+1767', // Dominica
  '+1784', // St Vincent and the Grenadines
  '+1787', // Puerto Rico
  '+1809', // Dominican Republic
  '+1829', // Dominican Republic
  '+1849', // Dominican Republic
  '+1868', // Trinidad and Tobago
  '+1869', // St Kitts and Nevis
  '+1876', // Jamaica
  '+1939', // Puerto Rico
  '+53', // Cuba
  '+509', // Haiti
  '+252', // Somalia
]

/** @param e164 with the plus; may be incomplete */
export function isRiskyNumber(e164: string): boolean {
  return riskyPrefixes.some(prefix => e164.startsWith(prefix))
}
