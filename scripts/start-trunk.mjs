// `npm run start:trunk`: the product with calls over SIP trunks, to two carriers on this machine.
import { installPackages, runNode } from './node24.mjs'

installPackages()
if (runNode(['scripts/build.mjs', '--if-changed', '--draft']) !== 0) process.exit(1)
process.exit(runNode(['tests/trunk-demo/main.ts']))
