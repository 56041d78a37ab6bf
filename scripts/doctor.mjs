// `npm run doctor`: checks the configuration, and says what to do where something is wrong.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/doctor.ts']))
