// `npm run ledger:check`: proves that the books of the configured database are right, and changes nothing.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/ledger-check.ts']))
