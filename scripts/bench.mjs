// `npm run bench`: every figure that we claim, as a ratio to a peer in the same run or as a median.
// `npm run bench -- lighthouse restart`: only those.
import { findBrowser } from './browser.mjs'
import { installPackages, runNode } from './node24.mjs'

installPackages()
if (runNode(['scripts/build.mjs', '--if-changed']) !== 0) process.exit(1)
process.exit(
  runNode(['tests/bench/main.ts', ...process.argv.slice(2)], { CHROMIUM_PATH: findBrowser() ?? '' }),
)
