// `npm run build`: builds the site; with `--if-changed` only when `dist` does not match its sources. `--draft` is for
// `npm start` on somebody's own machine.
import { buildSite } from './site.mjs'

const [draft, ifChanged] = ['--draft', '--if-changed'].map(option => process.argv.includes(option))
const ms = await buildSite({ draft, ifChanged })
if (ms !== undefined) console.log(`Site built in ${(ms / 1000).toFixed(1)} s`)
