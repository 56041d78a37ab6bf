import { existsSync } from 'node:fs'
import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'
import { farline } from './scripts/build/integration.mjs'
import { readLanguages } from './scripts/build/languages/catalogues.mjs'
import { pseudoTag } from './scripts/build/languages/pseudo.mjs'
import { publicUrlOf } from './scripts/public-url.mjs'
import { changedAt } from './src/layouts/changed-at.ts'
import { isUnlisted } from './src/layouts/unlisted.ts'
import { isUntranslated } from './src/layouts/untranslated.ts'

const site = publicUrlOf(process.env)

/** In development the API runs on its own port; `scripts/dev.mjs` says where. */
const api = process.env.API_ORIGIN

/** A path under /dev or /api is the server's, unless it is one of our own pages or files. */
function keepOwnPages(request) {
  const path = new URL(request.url, site).pathname
  const own = ['astro', 'ts'].some(kind => existsSync(`src/pages${path}.${kind}`))
  return own ? request.url : undefined
}

const languages = [...readLanguages().map(({ tag }) => tag), pseudoTag]

/** False for what is not for everybody, and for an English text on a page of another language. */
function isListed(page) {
  const { pathname } = new URL(page)
  const tag = languages.find(each => pathname === `/${each}` || pathname.startsWith(`/${each}/`))
  if (tag === undefined) return !isUnlisted(pathname)
  const route = pathname.slice(tag.length + 1)
  return !(isUnlisted(route) || isUntranslated(route))
}

/** What search engines are told: the pages for everybody, each with the date it last changed. */
const listed = {
  filter: isListed,
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
  // Ours comes last: it also compresses the sitemap.
  integrations: [mdx(), react(), sitemap(listed), farline()],
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
