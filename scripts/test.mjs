// `npm test`, with the name of a suite `npm run check`, `test:stories`, `test:engines` and `test:full`, and with a path what
// belongs to it: see checks/main.mjs.
// Starts on Node 20 too; the work is done on Node 24.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['scripts/checks/main.mjs', ...process.argv.slice(2)]))
