// `npm run screens`: photographs every page and state in each view, with a contact sheet per feature, into `var/screens`.
// `npm run screens -- dialler account`: only those features.
import { findBrowser } from './browser.mjs'
import { installPackages, runNode } from './node24.mjs'

installPackages()
if (runNode(['scripts/build.mjs', '--if-changed']) !== 0) process.exit(1)
process.exit(
  runNode(['tests/screens/main.ts', ...process.argv.slice(2)], { CHROMIUM_PATH: findBrowser() ?? '' }),
)
