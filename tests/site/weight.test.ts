import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { attributes, placeOf, readBuiltSite, scriptsOf, siteDirectory } from '#support/built-site.ts'

/** What a server may send before the first acknowledgement: ten packets (RFC 6928). */
const firstWindowBytes = 14 * 1024
/** What the largest page of text weighs, which is the Ukrainian one about support, and half a kilobyte to spare. */
const textPageBytes = 20.5 * 1024
/** The reference of the API, which grows with each endpoint. */
const apiPageBytes = 24 * 1024
const inlineScriptBytes = 1872
const landingScriptBytes = 70 * 1024
const diallerScriptBytes = 100 * 1024
const loginScriptBytes = 104 * 1024
const fontBytes = 20 * 1024

let pages: ReadonlyMap<string, string>

beforeAll(() => {
  pages = readBuiltSite()
}, 60_000)

function fileOf(route: string): string {
  return join(siteDirectory, route === '/' ? 'index.html' : `${route}.html`)
}

/** Routes and what they weigh where that is more than they may. */
function tooHeavy(routes: readonly string[], limit: number): readonly string[] {
  return routes
    .map(route => ({ route, bytes: statSync(`${fileOf(route)}.br`).size }))
    .filter(({ bytes }) => bytes > limit)
    .map(({ route, bytes }) => `${route}: ${bytes}`)
}

/** A script file and all that it imports before it runs, by path. */
function withImports(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  const source = readFileSync(join(siteDirectory, path), 'utf8')
  for (const [, from] of source.matchAll(/(?:\bfrom|\bimport)\s*["']([^"']+\.js)["']/g)) {
    withImports(new URL(from ?? '', `https://site${path}`).pathname, seen)
  }
  return seen
}

/** The script files that run before a page's islands work: those in the page, the islands, and what they import. */
function scriptsBefore(html: string): ReadonlySet<string> {
  const roots = [
    ...scriptsOf(html).filter(script => script.startsWith('/')),
    ...['component-url', 'renderer-url', 'before-hydration-url'].flatMap(name => attributes(html, name)),
  ]
  return new Set(roots.flatMap(path => [...withImports(path)]))
}

/** Bytes as they are sent. */
function weight(files: ReadonlySet<string>): number {
  const bytes = [...files].map(path => {
    const file = join(siteDirectory, path)
    return statSync(file).size > 1024 ? statSync(`${file}.br`).size : statSync(file).size
  })
  return bytes.reduce((sum, size) => sum + size, 0)
}

test('landing, destinations, every country and the dialler fit the first window with their styles', () => {
  const routes = [...pages.keys()].filter(each => {
    const { route } = placeOf(each)
    return ['/', '/destinations', '/call'].includes(route) || route.startsWith('/calling/')
  })
  expect(routes.length).toBeGreaterThan(160)
  expect(tooHeavy(routes, firstWindowBytes)).toEqual([])
})

test('the landing and the dialler are painted before they fetch a script or a sheet', () => {
  for (const route of ['/', '/call']) {
    const html = (pages.get(route) ?? '').replace(/<(template|noscript)\b.*?<\/\1>/gs, '')
    expect(html, route).toContain('data-later="/_astro/')
    expect(html, route).not.toMatch(/<script[^>]*\ssrc=|<link rel="(?:stylesheet|modulepreload)"/)
  }
})

test('no page weighs more than a text page may', () => {
  const [reference] = [...pages.keys()].filter(route => route === '/api/docs')
  expect(
    tooHeavy(
      [...pages.keys()].filter(route => route !== reference),
      textPageBytes,
    ),
  ).toEqual([])
  expect(tooHeavy([reference ?? ''], apiPageBytes)).toEqual([])
})

test('a page without an island loads no script file, and little inline script', () => {
  const plain = [...pages].filter(([, html]) => !html.includes('<astro-island'))
  expect(plain.map(([route]) => route)).toEqual(
    expect.arrayContaining(['/404', '/blog', '/calling/in', '/destinations', '/faq', '/terms']),
  )
  const heavy = plain.flatMap(([route, html]) => {
    const scripts = scriptsOf(html)
    const files = scripts.filter(script => script.startsWith('/'))
    const bytes = Buffer.byteLength(scripts.join(''))
    return files.length > 0 || bytes > inlineScriptBytes
      ? [`${route}: ${bytes} inline, ${files.join(' ')}`]
      : []
  })
  expect(heavy).toEqual([])
})

test('all the script that the landing loads, React and islands included, stays small', () => {
  const files = scriptsBefore(pages.get('/') ?? '')
  expect(files.size).toBeGreaterThan(2)
  expect(weight(files)).toBeLessThanOrEqual(landingScriptBytes)
})

test('all the script before the dialler can be used stays small; what calls and dialogs need is no part of it', () => {
  const files = scriptsBefore(pages.get('/call') ?? '')
  expect(weight(files)).toBeLessThanOrEqual(diallerScriptBytes)
  const source = [...files].map(path => readFileSync(join(siteDirectory, path), 'utf8')).join('')
  expect(source).toContain('Enter phone number')
  // Of the country picker, the real-time socket, the voice client and the numbering plans.
  const ofLater = ['Search countries...', 'EIO', 'createOffer', 'INVALID_COUNTRY']
  for (const word of ofLater) expect(source, word).not.toContain(word)
  const everything = readdirSync(join(siteDirectory, '_astro'))
    .filter(name => name.endsWith('.js'))
    .map(name => readFileSync(join(siteDirectory, '_astro', name), 'utf8'))
    .join('')
  for (const word of ofLater) expect(everything, word).toContain(word)
})

test('scripts in another language are hardly larger than in English', () => {
  const ratios = [...pages].flatMap(([each, html]) => {
    const { language, route } = placeOf(each)
    if (language === sourceLanguage || !['/', '/buy-credits', '/call', '/profile'].includes(route)) return []
    const english = weight(scriptsBefore(pages.get(route) ?? ''))
    return [{ page: each, ratio: weight(scriptsBefore(html)) / english }]
  })
  expect(ratios.length).toBeGreaterThan(0)
  expect(ratios.filter(({ ratio }) => ratio > 1.03)).toEqual([])
})

test('the log-in loads neither the WebAuthn client nor the second step before they are used', () => {
  const files = scriptsBefore(pages.get('/login') ?? '')
  expect(weight(files)).toBeLessThanOrEqual(loginScriptBytes)
  const sources = (names: Iterable<string>) =>
    [...names].map(path => readFileSync(join(siteDirectory, path), 'utf8')).join('')
  const everything = readdirSync(join(siteDirectory, '_astro'))
    .filter(name => name.endsWith('.js'))
    .map(name => `/_astro/${name}`)
  for (const word of ['navigator.credentials', 'One more step']) {
    expect(sources(files), word).not.toContain(word)
    expect(sources(everything), word).toContain(word)
  }
})

test('the fonts are small, and no page waits for one', () => {
  for (const [route, html] of pages) {
    const fonts = new Set([...html.matchAll(/url\(["']?(\/fonts\/[^"')]+)/g)].map(([, path]) => path ?? ''))
    expect(fonts.size, route).toBeGreaterThan(0)
    const bytes = [...fonts].map(path => statSync(join(siteDirectory, path)).size)
    expect(
      bytes.reduce((sum, size) => sum + size, 0),
      route,
    ).toBeLessThanOrEqual(fontBytes)
    expect(html, route).not.toMatch(/<link rel="preload"/)
  }
})

test('every picture has its size, and waits until it is near unless it is in the first view', () => {
  const faults = [...pages].flatMap(([route, html]) =>
    [...html.matchAll(/<img\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter(tag => !(/\swidth="\d+"/.test(tag) && /\sheight="\d+"/.test(tag) && /\sloading="/.test(tag)))
      .map(tag => `${route}: ${tag}`),
  )
  expect(faults).toEqual([])
})
