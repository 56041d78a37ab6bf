// `npm run demo-video`: records the landing page's film, a real call made with our own dialler.
import { findBrowser } from './browser.mjs'
import { installPackages, runNode } from './node24.mjs'

installPackages()
if (runNode(['scripts/build.mjs', '--if-changed']) !== 0) process.exit(1)
process.exit(runNode(['tests/demo-video/main.ts'], { CHROMIUM_PATH: findBrowser() ?? '' }))
