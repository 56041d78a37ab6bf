/** Builds the copy of the project that is named, as `npm run build` does, and says over IPC how much memory it took. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { buildSite } = (await import(
  pathToFileURL(join(String(process.argv[2]), 'scripts', 'site.mjs')).href
)) as typeof import('#scripts/site.mjs')
await buildSite()
process.send?.(process.resourceUsage().maxRSS * 1024, () => process.exit(0))
