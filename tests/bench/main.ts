import { benchBillingHistory } from './billing-history.ts'
import { benchBooks } from './books.ts'
import { benchBuildLanguages } from './build-languages.ts'
import { benchCallHistory } from './call-history.ts'
import { benchCallSetUp } from './call-set-up.ts'
import { benchDialler } from './dialler.ts'
import { benchExchangeLoad } from './exchange-load.ts'
import { benchInteractions } from './interactions.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchLoad } from './load.ts'
import { benchMetering } from './metering.ts'
import { benchPayments } from './payments.ts'
import { benchPoorLine } from './poor-line.ts'
import { benchRateLookups } from './rate-lookups.ts'
import { benchRestart } from './restart.ts'
import { benchStartUp } from './start-up.ts'
import { benchThousandPosts } from './thousand-posts.ts'
import { benchTrunk } from './trunk.ts'

/** One line of the report: what, how much, and what to compare it with. */
export interface Figure {
  readonly what: string
  readonly value: string
}

const benches: Readonly<Record<string, () => Promise<Figure[]>>> = {
  'start-up': benchStartUp,
  'rate-lookups': benchRateLookups,
  load: () => benchLoad(),
  metering: benchMetering,
  books: benchBooks,
  payments: benchPayments,
  'billing-history': benchBillingHistory,
  'call-history': benchCallHistory,
  'exchange-load': benchExchangeLoad,
  restart: benchRestart,
  'call-set-up': benchCallSetUp,
  'poor-line': benchPoorLine,
  trunk: benchTrunk,
  dialler: benchDialler,
  interactions: benchInteractions,
  lighthouse: benchLighthouse,
  'thousand-posts': benchThousandPosts,
  'build-languages': benchBuildLanguages,
}

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !Object.hasOwn(benches, name))
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)

for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  for (const { what, value } of await bench()) console.log(`${what.padEnd(72)} ${value}`)
}
