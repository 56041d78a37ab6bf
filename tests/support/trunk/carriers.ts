import type { Carrier } from '#server/telephony/trunk/carriers.ts'

/** A carrier as the operator's file would describe it; what a test does not name does not matter to it. */
export function carrierOf(named: Partial<Carrier> & Pick<Carrier, 'name' | 'set'>): Carrier {
  return {
    addresses: [],
    sources: [],
    host: 'carrier.example',
    credentials: undefined,
    prices: '',
    calls: 100,
    callsPerSecond: 10,
    numbers: { plus: true, prefix: '' },
    callerIds: 'any',
    media: { codecs: ['PCMU', 'PCMA'], srtp: false },
    signed: false,
    ownFailures: [],
    ...named,
  }
}
