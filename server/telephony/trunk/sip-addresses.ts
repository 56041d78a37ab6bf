import type { Carrier } from './carriers.ts'

export interface SipAddress {
  readonly user: string
  readonly host: string
}

export interface CallAddresses {
  readonly to: SipAddress
  readonly from: SipAddress
  readonly headers: readonly string[]
}

/** The addresses of a call as its carrier wants them. @param numbers E.164 */
export function addressesFor(
  { host, numbers: { plus, prefix } }: Carrier,
  numbers: { readonly to: string; readonly from: string },
): CallAddresses {
  const written = (number: string) => (plus ? number : number.slice(1))
  const shown = { user: written(numbers.from), host }
  return {
    to: { user: `${prefix}${written(numbers.to)}`, host },
    from: shown,
    // RFC 3325: many carriers show this number, and not that of the From header.
    headers: [`P-Asserted-Identity: <sip:${shown.user}@${host}>`],
  }
}
