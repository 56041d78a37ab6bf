import { existsSync } from 'node:fs'
import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'
import { chunkGroups } from './scripts/build/chunks.mjs'
import { inlineScripts } from './scripts/build/inline-scripts.mjs'
import { publicUrlOf } from './scripts/public-url.mjs'
import { changedAt } from './src/layouts/changed-at.ts'
import { isUnlisted } from './src/layouts/unlisted.ts'

const site = publicUrlOf(process.env)

/** In development the API runs on its own port; `scripts/dev.mjs` says where. */
const api = process.env.API_ORIGIN

/** A path under /dev or /api is the server's, unless it is one of our own pages or files. */
function keepOwnPages(request) {
  const path = new URL(request.url, site).pathname
  const own = ['astro', 'ts'].some(kind => existsSync(`src/pages${path}.${kind}`))
  return own ? request.url : undefined
}

/** In development too one page answers for every link by which a password is chosen anew. */
const resetLinks = {
  name: 'reset-links',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      request.url = request.url.replace(/^\/reset-password\/.*/, '/reset-password')
      next()
    })
  },
}

/** See `src/layouts/client-soon.ts`. */
const clientSoon = {
  name: 'client-soon',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'soon', entrypoint: './src/layouts/client-soon.ts' }),
  },
}

/** What search engines are told: the pages for everybody, each with the date it last changed. */
const listed = {
  filter: page => !isUnlisted(new URL(page).pathname),
  serialize: item => ({ ...item, lastmod: changedAt(new URL(item.url).pathname)?.toISOString() }),
  namespaces: { news: false, xhtml: false, image: false, video: false },
}

export default defineConfig({
  site,
  output: 'static',
  // In development, too strict an answer would keep `/socket.io/` from the server behind.
  trailingSlash: api === undefined ? 'never' : 'ignore',
  // `/call` is the file call.html: clean addresses without a redirect, and one file to precompress.
  build: { format: 'file', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  // Colours for code would be style attributes, which the security policy forbids.
  markdown: { syntaxHighlight: false },
  integrations: [mdx(), react(), clientSoon, sitemap(listed)],
  vite: {
    plugins: [inlineScripts(), resetLinks],
    // The first browsers with light-dark(), which the themes rest on; lowering it would undo `color-scheme` per element.
    build: {
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // Astro marks each MDX file with a directive of its own; a warning for each would hide the others.
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } },
    },
    server: {
      proxy: api
        ? {
            '/api': { target: api, bypass: keepOwnPages },
            '/healthz': api,
            '/readyz': api,
            '/dev': { target: api, bypass: keepOwnPages },
            '/socket.io': { target: api, ws: true },
            '/exchange': { target: api, ws: true },
          }
        : {},
    },
  },
})
