// `npm run admin -- ...`: the operator's command line, on the repository's own Node.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['server/admin.ts', ...process.argv.slice(2)]))
