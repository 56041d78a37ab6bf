// `npm run build`: builds the site; with `--if-changed` only when it differs from what its sources would give.
import { buildSite, isBuilt } from './site.mjs'

if (!(process.argv.includes('--if-changed') && isBuilt())) {
  const startedAt = performance.now()
  await buildSite()
  console.log(`Site built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
