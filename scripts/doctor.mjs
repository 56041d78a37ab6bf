// `npm run doctor`: checks the configuration, and says what to do where something is wrong.
import { installPackages, runNode } from './node24.mjs'

installPackages()
process.exit(runNode(['server/doctor.ts']))
