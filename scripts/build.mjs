// `npm run build`: builds the site; with `--if-changed` only when `dist` does not match its sources. `--draft` is for
// `npm start` on somebody's own machine.
import { buildSite, isBuilt } from './site.mjs'

const draft = process.argv.includes('--draft')
if (!(process.argv.includes('--if-changed') && isBuilt(undefined, undefined, { draft }))) {
  const startedAt = performance.now()
  await buildSite({ draft })
  console.log(`Site built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
