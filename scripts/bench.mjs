// `npm run bench`: every figure we claim, as ratios against a peer in the same run or as medians.
// `npm run bench -- lighthouse restart`: those alone.
import { findBrowser } from './browser.mjs'
import { installPackages, runNode } from './node24.mjs'

installPackages()
if (runNode(['scripts/build.mjs', '--if-changed']) !== 0) process.exit(1)
process.exit(
  runNode(['tests/bench/main.ts', ...process.argv.slice(2)], { CHROMIUM_PATH: findBrowser() ?? '' }),
)
