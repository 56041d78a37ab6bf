// `npm run admin -- ...`: admin commands, on the repository's own Node.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/admin.ts', ...process.argv.slice(2)]))
