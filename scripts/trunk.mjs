// `npm run trunk -- carriers <trunk file>`: prints an edge's list of carriers.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/trunk.ts', ...process.argv.slice(2)]))
