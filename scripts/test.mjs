// `npm test`: everything that must be true at every commit; with `--full` the storms and soaks.
// Starts on Node 20 too; the work is done on Node 24.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['scripts/run-checks.mjs', ...process.argv.slice(2)]))
