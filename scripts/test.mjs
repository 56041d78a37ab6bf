// `npm test`, and with the name of a suite `npm run test:stories`, `test:engines` and `test:full`: see run-checks.mjs.
// Starts on Node 20 too; the work is done on Node 24.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['scripts/run-checks.mjs', ...process.argv.slice(2)]))
