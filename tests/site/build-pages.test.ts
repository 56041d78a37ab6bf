import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isRightToLeft } from '#lib/i18n/direction.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { countryRate, parseTariff } from '#lib/money/tariff.ts'
import { attributes, placeOf, readBuiltSite, siteDirectory } from '#support/built-site.ts'

/** Route to HTML. */
let pages: ReadonlyMap<string, string>

beforeAll(() => {
  pages = readBuiltSite()
}, 60_000)

function page(route: string): string {
  const html = pages.get(route)
  if (html === undefined) throw new Error(`no page ${route}`)
  return html
}

test('every page of this version is built', () => {
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      '/',
      '/404',
      '/billing-history',
      '/blog',
      '/blog/showing-your-own-number-when-you-call',
      '/blog/tags/caller-id',
      '/buy-credits',
      '/call',
      '/call-history',
      '/referrals',
      '/calling/in',
      '/calling/xk',
      '/check-email',
      '/destinations',
      '/complaints',
      '/cookies',
      '/dev/checkout',
      '/dev/handset',
      '/dev/inbox',
      '/dev/letters',
      '/dev/review',
      '/email-verified',
      '/emergency-calls',
      '/fair-use',
      '/faq',
      '/forgot-password',
      '/heard-about',
      '/login',
      '/privacy',
      '/profile',
      '/receipt',
      '/refunds',
      '/register',
      '/reset-password',
      '/support',
      '/terms',
      '/verify-email',
    ]),
  )
})

test('no link of ours leads to the not-found page, and no file is missing', () => {
  const lost = [...pages].flatMap(([route, html]) =>
    ['href', 'src', 'component-url', 'renderer-url']
      .flatMap(name => attributes(html, name))
      // What the server answers itself is not in the build; the stories follow it.
      .filter(address => address.startsWith('/') && !address.startsWith('/api/'))
      .map(address => address.replace(/[?#].*/, ''))
      .filter(address => !pages.has(address) && !existsSync(join(siteDirectory, address)))
      .map(address => `${route} → ${address}`),
  )
  expect(lost).toEqual([])
})

test('links within a page find their target', () => {
  const lost = [...pages].flatMap(([route, html]) =>
    attributes(html, 'href')
      .filter(address => address.startsWith('#'))
      .filter(address => !attributes(html, 'id').includes(address.slice(1)))
      .map(address => `${route} → ${address}`),
  )
  expect(lost).toEqual([])
})

test('nothing is fetched from anybody else', () => {
  for (const html of pages.values()) {
    for (const address of attributes(html, 'src')) expect(address).toMatch(/^\//)
  }
})

test('each page names its language, itself and its one main part', () => {
  const titles = new Set<string>()
  for (const [route, html] of pages) {
    const { language } = placeOf(route)
    expect(html).toContain(`<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}>`)
    expect(html.match(/<main\b/g)).toHaveLength(1)
    const [, description = ''] = /<meta name="description" content="([^"]*)">/.exec(html) ?? []
    expect(description.length, route).toBeGreaterThan(10)
    titles.add(`${language}: ${/<title>(.+?)<\/title>/.exec(html)?.[1]}`)
  }
  expect(titles.size).toBe(pages.size)
})

test('private pages, steps and stand-ins are kept out of search engines and the sitemap', () => {
  const sitemap = readFileSync(join(siteDirectory, 'sitemap-pages-0.xml'), 'utf8')
  const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(match => new URL(match[1] ?? '').pathname)
  const indexed = [...pages]
    .filter(
      ([route, html]) => placeOf(route).language === sourceLanguage && !html.includes('content="noindex"'),
    )
    .map(([route]) => route)
  expect(new Set(listed)).toEqual(new Set(indexed))
  expect(listed).toEqual(expect.arrayContaining(['/', '/call', '/login', '/register']))
  for (const route of [
    '/404',
    '/billing-history',
    '/call-history',
    '/call-receipt',
    '/profile',
    '/receipt',
    '/referrals',
    '/check-email',
    '/forgot-password',
    '/heard-about',
    '/reset-password',
    '/dev/checkout',
    '/dev/handset',
    '/dev/inbox',
    '/dev/letters',
    '/verify-email',
  ]) {
    expect(listed).not.toContain(route)
  }
})

test('the landing prints the rates of the tariff', () => {
  const tariff = parseTariff(readFileSync('public/tariff.csv', 'utf8'))
  const stamps = [...page('/').matchAll(/class="value num">([\d.]+)¢<.*?\/flags\/(\w\w)\.svg/gs)].map(
    ([, cents, iso]) => [iso?.toUpperCase(), cents],
  )
  const rates = ['US', 'GB', 'IN', 'FR', 'DE', 'BR', 'ES', 'IT', 'AU', 'MX'].map(iso => [
    iso,
    ((countryRate(tariff, iso)?.ourRateMicroUsd ?? 0) / 10_000).toFixed(1),
  ])
  expect(stamps).toEqual(rates)
})

test('the style sheet of the stand-ins is not sent to customers', () => {
  for (const [route, html] of pages) {
    expect(html.includes('.specimen')).toBe(route.startsWith('/dev/') || route === '/ops')
  }
})

describe('styles', () => {
  test('keep their layers in order, which stands before anything in one', () => {
    for (const html of pages.values())
      expect(/<style[^>]*>(.*?)<\/style>/s.exec(html)?.[1]).toMatch(
        /^@layer tokens, base, components, pages;/,
      )
  })

  test('keep light-dark(), which follows color-scheme element by element', () => {
    for (const html of pages.values()) {
      expect(html).toContain('--paper:light-dark(#f4efe3,#0d1526)')
    }
  })
})
