// `npm run restore -- <file>`: see docs/operating/backups.md.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/restore.ts', ...process.argv.slice(2)]))
