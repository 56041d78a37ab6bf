// `npm run start:trunk`: the product with calls over SIP trunks, to two carriers on this machine.
import { installPackages, requireConfiguration, runNode } from './node24.mjs'

installPackages()
// The demonstration names its own carriers.
requireConfiguration({ TELEPHONY: 'trunk', TRUNK_FILE: 'its own' })
if (runNode(['scripts/build.mjs', '--if-changed', '--draft']) !== 0) process.exit(1)
process.exit(runNode(['tests/trunk-demo/main.ts']))
