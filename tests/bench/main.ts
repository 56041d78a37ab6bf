import { benchCallSetUp } from './call-set-up.ts'
import { benchExchangeLoad } from './exchange-load.ts'
import { benchMetering } from './metering.ts'
import { benchRateLookups } from './rate-lookups.ts'
import { benchRestart } from './restart.ts'
import { benchStartUp } from './start-up.ts'

/** One line of the report: what, how much, and what to compare it with. */
export interface Figure {
  readonly what: string
  readonly value: string
}

const benches = [
  benchStartUp,
  benchRateLookups,
  benchMetering,
  benchExchangeLoad,
  benchRestart,
  benchCallSetUp,
]

for (const bench of benches) {
  for (const { what, value } of await bench()) console.log(`${what.padEnd(72)} ${value}`)
}
