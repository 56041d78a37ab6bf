// `npm run restore -- <file>`: see docs/operating/backups.md.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['server/restore.ts', ...process.argv.slice(2)]))
