import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sitemap from '@astrojs/sitemap'
import { expect, onTestFinished, test } from 'vitest'
import { sitemapOptions } from '#scripts/build/sitemap.mjs'

/** Writes the sitemap of some pages as a build with these languages does. */
async function writeSitemap(tags: readonly string[], pages: readonly string[], folder: string) {
  const { hooks } = sitemap(sitemapOptions(tags))
  const config = {
    site: 'https://farline.example',
    base: '/',
    trailingSlash: 'never',
    build: { format: 'file' },
  }
  const about = {
    config,
    routes: [],
    pages: pages.map(pathname => ({ pathname })),
    dir: pathToFileURL(`${folder}/`),
    logger: { info() {}, warn: expect.fail, error: expect.fail },
  }
  for (const name of ['astro:routes:resolved', 'astro:config:done', 'astro:build:done'] as const)
    await (hooks[name] as (about: unknown) => unknown)(about)
}

test('the sitemap has a file for each language, without texts that are English there, dated as in English', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'farline-sitemap-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pages = [
    '',
    'faq',
    'privacy',
    'es',
    'es/faq',
    'es/profile',
    'es/privacy',
    'es/blog/tags/rates',
    'estonia',
  ]
  await writeSitemap(['es', 'ar'], pages, folder)
  const written = async (file: string) => {
    const xml = await readFile(join(folder, file), 'utf8')
    const found = xml.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g)
    return new Map([...found].map(([, address, date]) => [new URL(address ?? '').pathname, date]))
  }
  const english = await written('sitemap-pages-0.xml')
  const spanish = await written('sitemap-es-0.xml')
  expect([...english.keys()]).toEqual(['/', '/estonia', '/faq', '/privacy'])
  expect([...spanish.keys()]).toEqual(['/es', '/es/faq'])
  expect(spanish.get('/es/faq')).toBe(english.get('/faq'))
  expect(spanish.get('/es')).toBe(english.get('/'))
  expect((await written('sitemap-index.xml')).has('/sitemap-es-0.xml')).toBe(true)
})
