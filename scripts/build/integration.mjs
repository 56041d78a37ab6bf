import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot, sourcesFingerprint } from '../fingerprint.mjs'
import { chunkGroups } from './chunks.mjs'
import { finishSite } from './finish.mjs'
import { inlineScripts } from './inline-scripts.mjs'
import { languagesOfBuild, requireWholeLanguages } from './languages/build.mjs'
import { builtLanguages } from './languages/built-languages.mjs'
import { readEnglish } from './languages/catalogues.mjs'
import { localiseScripts } from './languages/localise.mjs'
import { localisedPages } from './languages/pages.mjs'
import { textsPlugin } from './languages/texts-plugin.mjs'

/** In development too one page answers for every link by which a password is chosen anew. */
function oneResetPage(request, _response, next) {
  request.url = request.url.replace(/^\/reset-password\/.*/, '/reset-password')
  next()
}

/**
 * All that our build adds to Astro's. It stands last among the integrations, so that it finishes what the others wrote too.
 * A build with DRAFT_SITE=1 is a draft (`scripts/site.mjs`).
 * @returns {import('astro').AstroIntegration}
 */
export function farline() {
  let fingerprint = ''
  /** @type {import('./languages/catalogues.mjs').Language[]} */
  let languages = []
  return {
    name: 'farline',
    hooks: {
      'astro:config:setup': async ({ addClientDirective, command, config, injectRoute, updateConfig }) => {
        // Before the sources are read: a change during the build makes the site out of date.
        if (command === 'build') fingerprint = sourcesFingerprint(fileURLToPath(config.root))
        const entrypoint = fileURLToPath(new URL('../../src/layouts/client-soon.ts', import.meta.url))
        addClientDirective({ name: 'soon', entrypoint })
        languages = await languagesOfBuild(process.env)
        for (const route of localisedPages(languages, fileURLToPath(config.root))) injectRoute(route)
        const client = { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } }
        const texts = textsPlugin(languages, { development: command === 'dev' })
        updateConfig({
          vite: {
            plugins: [builtLanguages(languages), texts, inlineScripts([texts])],
            environments: { client },
          },
        })
      },
      'astro:server:setup': ({ server }) => {
        server.middlewares.use(oneResetPage)
      },
      'astro:build:start': requireWholeLanguages,
      'astro:build:done': async ({ dir }) => {
        const site = fileURLToPath(dir)
        const localise = await localiseScripts(site, [await readEnglish(), ...languages])
        const earlier = join(projectRoot, 'dist')
        await finishSite(site, fingerprint, { draft: process.env.DRAFT_SITE === '1', earlier, localise })
      },
    },
  }
}
