// `npm run backup -- <file>`: see docs/operating/backups.md.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['server/backup.ts', ...process.argv.slice(2)]))
