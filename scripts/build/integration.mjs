import { globSync } from 'node:fs'
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
import { precompress } from './precompress.mjs'

/** In development too one page answers for every link by which a password is chosen anew. */
function oneResetPage(request, _response, next) {
  request.url = request.url.replace(/^\/reset-password\/.*/, '/reset-password')
  next()
}

function copies() {
  return { draft: process.env.DRAFT_SITE === '1', earlier: join(projectRoot, 'dist') }
}

/** A Vite plugin: calls back once the scripts of the browser are written, before the pages are. */
function afterScripts(callBack) {
  return {
    name: 'after-scripts',
    applyToEnvironment: environment => environment.name === 'client',
    writeBundle: ({ dir }) => callBack(dir),
  }
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
  let localise
  let scripts
  let compressed
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
            plugins: [
              builtLanguages(languages),
              texts,
              inlineScripts([texts]),
              afterScripts(async site => {
                localise = await localiseScripts(site, [await readEnglish(), ...languages])
                scripts = globSync('_astro/*.js', { cwd: site })
                // Not awaited: rendering the pages takes one core, and this another.
                compressed = precompress(site, { ...copies(), files: [...scripts], lanes: 1 })
                // If the build fails first, that error is the one to report.
                compressed.catch(() => {})
              }),
            ],
            environments: { client },
          },
        })
      },
      'astro:server:setup': ({ server }) => {
        server.middlewares.use(oneResetPage)
      },
      'astro:build:start': requireWholeLanguages,
      'astro:build:done': async ({ dir }) => {
        await finishSite(fileURLToPath(dir), fingerprint, { ...copies(), localise, scripts, compressed })
      },
    },
  }
}
