import { existsSync } from 'node:fs'
import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'
import { farline } from './scripts/build/integration.mjs'
import { languagesOfBuild } from './scripts/build/languages/build.mjs'
import { sitemapOptions } from './scripts/build/sitemap.mjs'
import { publicUrlOf } from './scripts/public-url.mjs'

const site = publicUrlOf(process.env)

/** In development the API runs on its own port; `scripts/dev.mjs` says where. */
const api = process.env.API_ORIGIN

/** A path under /dev or /api is the server's, unless it is one of our own pages or files. */
function keepOwnPages(request) {
  const path = new URL(request.url, site).pathname
  const own = ['astro', 'ts'].some(kind => existsSync(`src/pages${path}.${kind}`))
  return own ? request.url : undefined
}

const languages = await languagesOfBuild(process.env)

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
  // Ours comes last: it also compresses the sitemap.
  integrations: [mdx(), react(), sitemap(sitemapOptions(languages.map(({ tag }) => tag))), farline()],
  vite: {
    // The first browsers with light-dark(), which the themes rest on; lowering it would undo `color-scheme` per element.
    build: {
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // Astro marks each MDX file with a directive of its own; a warning for each would hide the others.
      rolldownOptions: { checks: { moduleLevelDirective: false } },
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
