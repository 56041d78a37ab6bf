// `npm run ledger:check`: proves that the books of the configured database are right, and changes nothing.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['server/ledger-check.ts']))
