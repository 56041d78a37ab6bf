// `npm run build`: builds the site; with `--if-changed` only when `dist` does not match its sources.
import { buildSite, isBuilt } from './site.mjs'

if (!(process.argv.includes('--if-changed') && isBuilt())) {
  const startedAt = performance.now()
  await buildSite()
  console.log(`Site built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
