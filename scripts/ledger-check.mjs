// `npm run ledger:check`: verifies the ledger of the configured database, read-only.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/ledger-check.ts']))
