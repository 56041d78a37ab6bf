// `npm run backup -- <file>`: see docs/operating/backups.md.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/backup.ts', ...process.argv.slice(2)]))
