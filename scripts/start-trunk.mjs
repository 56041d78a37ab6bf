// `npm run start:trunk`: the product with calls over SIP trunks, to two carriers on this machine. Runs on Node 20 too.
import { installPackages, requireConfiguration, runNodeToItsEnd } from './node24.mjs'
import { explainMissingTrunkPackages, findMissingTrunkPackages } from './trunk-programs.mjs'

// Said first: installing and building would take minutes.
const missing = findMissingTrunkPackages()
if (missing.length > 0) {
  console.error(explainMissingTrunkPackages(missing))
  process.exit(1)
}
installPackages()
// The demonstration names its own carriers.
requireConfiguration({ TELEPHONY: 'trunk', TRUNK_FILE: 'its own' })
const built = await runNodeToItsEnd(['scripts/build.mjs', '--if-changed', '--draft'])
process.exit(built === 0 ? await runNodeToItsEnd(['tests/trunk-demo/main.ts']) : built)
