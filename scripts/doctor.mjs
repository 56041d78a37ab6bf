// `npm run doctor`: checks the configuration, and says how to correct it.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/doctor.ts']))
