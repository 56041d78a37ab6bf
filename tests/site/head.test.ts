import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIContext } from 'astro'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { referralLoader } from '#components/referral.ts'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'
import { pathIn } from '#lib/i18n/path.ts'
import { readLanguages } from '#scripts/build/languages/catalogues.mjs'
import { addressedPaths } from '#server/http/readdress-pages.ts'
import { attributes, isCopy, placeOf, readBuiltSite, scriptsOf, siteDirectory } from '#support/built-site.ts'
import { changedAt } from '../../src/layouts/changed-at.ts'
import { isEnglishOnly, isUntranslated } from '../../src/layouts/untranslated.ts'
import { GET } from '../../src/pages/site.webmanifest.ts'

let pages: ReadonlyMap<string, string>
/** Pages that search engines are to show. */
let listed: ReadonlyMap<string, string>

beforeAll(() => {
  pages = readBuiltSite()
  listed = new Map(
    [...pages].filter(([route, html]) => !html.includes('content="noindex"') && !isCopy(route)),
  )
}, 60_000)

/** What a meta element says; undefined where there is none. */
function meta(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
}

function read(file: string): string {
  return readFileSync(join(siteDirectory, file), 'utf8')
}

/** Entities are one sign each, such as `&#39;`; what sets a direction is not seen. */
function seen(text: string): string {
  return text.replace(/&[#\w]+;/g, '.').replace(/\p{Cf}/gu, '')
}

/** In letters, of which a Chinese character takes the room of two. */
function widthOf(text: string): number {
  return seen(text).replace(/\p{Script=Han}/gu, '..').length
}

/** Values that more than one page of a language has, with those pages. */
function shared(value: (html: string) => string | undefined): readonly string[] {
  const routes = Map.groupBy([...listed], ([route, html]) => `${placeOf(route).language}: ${value(html)}`)
  return [...routes]
    .filter(([, entries]) => entries.length > 1)
    .map(([text, entries]) => `${text}: ${entries.map(([route]) => route).join(' ')}`)
}

test('no description is longer than search results show', () => {
  const long = [...pages]
    .map(([route, html]) => [route, widthOf(meta(html, 'description') ?? '')] as const)
    .filter(([, length]) => length > 165)
  expect(long).toEqual([])
})

test('no two pages have the same title or description', () => {
  expect(shared(html => /<title>(.*?)<\/title>/.exec(html)?.[1])).toEqual([])
  expect(shared(html => meta(html, 'description'))).toEqual([])
  for (const [route, html] of listed) {
    const description = meta(html, 'description') ?? ''
    expect(widthOf(description), route).toBeGreaterThanOrEqual(40)
    expect(meta(html, 'og:description'), route).toBe(description)
    expect(meta(html, 'og:title'), route).toBe(/<title>(.*?)<\/title>/.exec(html)?.[1])
  }
})

test('each listed page names its one address; the others name none', () => {
  for (const [route, html] of pages) {
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]
    const isListed = !html.includes('content="noindex"')
    const address = isCopy(route) ? placeOf(route).route : route
    expect(canonical && new URL(canonical).pathname, route).toBe(isListed ? address : undefined)
    if (canonical) expect(meta(html, 'og:url')).toBe(canonical)
    const isArticle = html.includes('"BlogPosting"')
    if (canonical) expect(meta(html, 'og:type'), route).toBe(isArticle ? 'article' : 'website')
  }
})

test('the address of the site stands only where a server on another port replaces it', () => {
  const { publicUrl } = JSON.parse(read('.server/build.json'))
  const withoutText = /\.(?:br|gz|ico|png|wav|webm|woff2)$/
  const unreplaced = globSync('**/*.*', { cwd: siteDirectory })
    .filter(file => !addressedPaths.test(file) && !withoutText.test(file))
    .filter(file => read(file).includes(publicUrl))
  expect(unreplaced).toEqual([])
  for (const [route, html] of pages) {
    expect(html, route).not.toContain(encodeURIComponent(publicUrl))
    // The security policy allows them by the hashes of what was built.
    expect(scriptsOf(html).join('\n'), route).not.toContain(publicUrl)
  }
})

test('each listed page has a picture of 1200 x 630 for where it is shared, described in words', async () => {
  const images = new Map<string, string>()
  for (const [route, html] of listed) {
    images.set(new URL(meta(html, 'og:image') ?? '').pathname, route)
    expect([meta(html, 'og:image:width'), meta(html, 'og:image:height')], route).toEqual(['1200', '630'])
    expect(widthOf(meta(html, 'og:image:alt') ?? ''), route).toBeGreaterThan(20)
    expect(meta(html, 'twitter:card'), route).toBe('summary_large_image')
  }
  for (const [image, route] of images) {
    const bytes = readFileSync(join(siteDirectory, image))
    const { format, width, height } = await sharp(bytes).metadata()
    expect([format, width, height], route).toEqual(['png', 1200, 630])
    expect(bytes.length, image).toBeLessThan(80 * 1024)
  }
  const owners = [...images.keys()]
  expect(owners).toEqual(
    expect.arrayContaining([
      '/og/index.png',
      '/og/destinations.png',
      '/og/calling/in.png',
      '/og/default.png',
    ]),
  )
  for (const route of listed.keys()) {
    if (/^\/(calling|blog)\/[\w-]+$/.test(route)) expect(owners).toContain(`/og${route}.png`)
  }
})

test('the trail that search engines are told leads to the page, over pages that are there', () => {
  const trails = [...listed].flatMap(([route, html]) =>
    [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
      .map(([, json]) => JSON.parse(json ?? ''))
      .filter(data => data['@type'] === 'BreadcrumbList')
      .map(({ itemListElement: crumbs }) => ({
        route,
        trail: crumbs.map(({ item }: { item: string }) => new URL(item).pathname),
      })),
  )
  expect(trails.length).toBeGreaterThan(160)
  for (const { route, trail } of trails) {
    expect(trail.at(-1), route).toBe(route)
    expect(new Set(trail).size, route).toBe(trail.length)
    for (const crumb of trail) expect(listed.has(crumb), `${route}: ${crumb}`).toBe(true)
  }
})

describe('sitemap', () => {
  const sitemaps = () =>
    [...read('sitemap-index.xml').matchAll(/<loc>([^<]*)<\/loc>/g)].map(
      ([, address]) => new URL(address ?? '').pathname,
    )

  test('lists exactly the pages for everybody', () => {
    const found = sitemaps().flatMap(file =>
      [...read(file).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => new URL(address ?? '').pathname),
    )
    expect(found).toHaveLength(listed.size)
    expect(new Set(found)).toEqual(new Set(listed.keys()))
  })

  test('names each page in every language, from all of them; texts that stay English name none', () => {
    const entries = sitemaps().flatMap(file => [...read(file).matchAll(/<url>(.*?)<\/url>/g)])
    const named = new Map(
      entries.map(([entry]) => [
        new URL(/<loc>([^<]*)/.exec(entry)?.[1] ?? '').pathname,
        [...entry.matchAll(/<xhtml:link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(
          ([, language = '', address = '']) => [language, new URL(address).pathname] as const,
        ),
      ]),
    )
    for (const [route, links] of named) {
      const { language, route: inEnglish } = placeOf(route)
      const alternates = new Map(links)
      if (isUntranslated(inEnglish) || isEnglishOnly(inEnglish)) {
        expect(alternates.size, route).toBe(0)
        continue
      }
      expect(alternates.get(language), route).toBe(route)
      expect(alternates.get('x-default'), route).toBe(inEnglish)
      for (const other of alternates.values()) expect(named.get(other), `${route}: ${other}`).toEqual(links)
    }
    expect(named.get('/es/faq')?.length).toBeGreaterThan(3)
  })

  test('dates articles as they date themselves, and nothing later than today', () => {
    const dates = new Map(
      [...read('sitemap-pages-0.xml').matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)<\/lastmod>/g)].map(
        ([, address, date]) => [new URL(address ?? '').pathname, date ?? ''],
      ),
    )
    const posts = [...listed].filter(([route]) => /^\/blog\/[\w-]+$/.test(route))
    expect(posts.length).toBeGreaterThan(0)
    for (const [route, html] of posts) {
      expect(dates.get(route), route).toBe(/"dateModified":"([^"]*)"/.exec(html)?.[1])
    }
    for (const [route, date] of dates) expect(Date.parse(date), route).toBeLessThanOrEqual(Date.now())
  })

  test('gives no date to a page of which no true one is known', () => {
    expect(changedAt('/a-page-nobody-committed')).toBeUndefined()
  })
})

test('robots are let in and find the sitemap', () => {
  const robots = read('robots.txt')
  expect(robots).toMatch(/^User-agent: \*\nAllow: \/\n/)
  const sitemap = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? ''
  expect(existsSync(join(siteDirectory, new URL(sitemap).pathname))).toBe(true)
})

test('the manifest and the head name icons that are there, in the sizes that they name', async () => {
  const manifest = JSON.parse(read('site.webmanifest'))
  expect(manifest).toMatchObject({ name: 'Farline', start_url: '/call' })
  const sizes = new Set<string>()
  for (const { src, sizes: named, purpose = 'any' } of manifest.icons) {
    const { width, height, format } = await sharp(join(siteDirectory, src)).metadata()
    if (format !== 'svg') expect(`${width}x${height}`, src).toBe(named)
    sizes.add(`${named} ${purpose}`)
  }
  expect([...sizes]).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']))
  const touch = await sharp(join(siteDirectory, 'apple-touch-icon.png')).metadata()
  expect([touch.width, touch.height]).toEqual([180, 180])
  const icon = readFileSync(join(siteDirectory, 'favicon.ico'))
  expect([icon.readUInt16LE(2), icon[6], icon[7]]).toEqual([1, 32, 32])
  for (const html of pages.values()) {
    const language = /<html lang="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(attributes(html, 'href')).toEqual(
      expect.arrayContaining([
        '/favicon.ico',
        '/brand/favicon.svg',
        '/apple-touch-icon.png',
        pathIn(language, '/site.webmanifest'),
      ]),
    )
  }
})

test('the manifest of a language is the same app, in its words and with its pages', async () => {
  const spanish = readLanguages().find(({ tag }) => tag === 'es')
  addLanguage('es', spanish?.scopes ?? {})
  renderIn('es')
  onTestFinished(() => renderIn(sourceLanguage))
  const { shortcuts, ...app } = await ((await GET({} as APIContext)) as Response).json()
  expect(app).toMatchObject({ id: '/', scope: '/', lang: 'es', start_url: '/es/call' })
  expect(shortcuts[2]).toMatchObject({ name: 'Historial', url: '/es/call-history' })
})

test("the frame's script is the same on all pages, stands in the head, and is small", () => {
  const scripts = new Set(
    [...pages.values()].map(html =>
      /<head>.*?<script>(.*?)<\/script>.*<\/head>/s.exec(html)?.[1]?.replace(`;${referralLoader}`, ''),
    ),
  )
  expect(scripts.size).toBe(1)
  const [script] = scripts
  expect(script).toContain('prefers-color-scheme')
  expect(Buffer.byteLength(script ?? '')).toBeLessThanOrEqual(1160)
})
