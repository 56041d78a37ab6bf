// @vocabulary words: they are words of a language.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { countWords } from '#components/blog/reading.ts'
import { attributes, readBuiltSite, siteDirectory } from '#support/built-site.ts'

let pages: ReadonlyMap<string, string>
/** Route to HTML, of the posts alone. */
let posts: ReadonlyMap<string, string>

beforeAll(() => {
  pages = readBuiltSite()
  posts = new Map([...pages].filter(([route]) => /^\/blog\/[^/]+$/.test(route)))
}, 60_000)

/** The body of a post, without its head, contents and foot. */
function bodyOf(html: string): string {
  const [, body = ''] = /<div class="prose">(.*)<\/div>\s*<footer class="closing">/s.exec(html) ?? []
  return body
}

function structuredData(html: string, type: string): Record<string, unknown> {
  const found = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    .map(([, json = '']) => JSON.parse(json))
    .find(data => data['@type'] === type)
  if (found === undefined) throw new Error(`no ${type}`)
  return found
}

describe('each post', () => {
  test('has something to say: 800 words or more, and says how long they take to read', () => {
    expect(posts.size).toBeGreaterThanOrEqual(8)
    for (const [route, html] of posts) {
      const words = countWords(bodyOf(html))
      expect(words, route).toBeGreaterThanOrEqual(800)
      const minutes = Number(/(\d+) minutes to read/.exec(html)?.[1])
      expect(minutes, route).toBe(Math.round(words / 200))
    }
  })

  test('has a date of its own, in words and for machines, and is signed by the company', () => {
    const days = [...posts].map(([route, html]) => {
      const [, day = '', written = ''] = /<time datetime="([^"]+)">([^<]+)<\/time>/.exec(html) ?? []
      expect(new Date(`${written} UTC`).toISOString().slice(0, 10), route).toBe(day)
      const data = structuredData(html, 'BlogPosting')
      expect(data['datePublished'], route).toBe(`${day}T00:00:00.000Z`)
      expect(data['author'], route).toMatchObject({ '@type': 'Organization', name: 'Farline' })
      expect(html, route).toMatch(/class="signed printed">Farline</)
      return day
    })
    expect(new Set(days).size).toBe(days.length)
  })

  test('has contents that lead to its sections', () => {
    for (const [route, html] of posts) {
      const [, contents = ''] = /<nav class="contents".*?>(.*?)<\/nav>/s.exec(html) ?? []
      const sections = [...bodyOf(html).matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => `#${id}`)
      expect(sections.length, route).toBeGreaterThan(1)
      expect(attributes(contents, 'href'), route).toEqual(sections)
    }
  })

  test('stands in the list of each of its tags', () => {
    for (const [route, html] of posts) {
      const tags = attributes(html, 'href').filter(href => href.startsWith('/blog/tags/'))
      expect(tags.length, route).toBeGreaterThan(0)
      for (const tag of tags) expect(attributes(pages.get(tag) ?? '', 'href'), tag).toContain(route)
    }
  })

  test('carries an engraving in the ink of its stamp', () => {
    const colours: Record<string, string> = { blue: '#1b4f9c', red: '#b3202b', black: '#13203b' }
    for (const [route, html] of posts) {
      const [, plate, ink = ''] =
        /class="(plate[^"]*)"><img src="\/blog\/art\/\w+-(\w+)\.svg"/.exec(html) ?? []
      expect(plate, route).toBe({ blue: 'plate', red: 'plate r', black: 'plate k' }[ink])
      const [src = ''] = attributes(html, 'src').filter(address => address.startsWith('/blog/art/'))
      expect(readFileSync(join(siteDirectory, src), 'utf8'), route).toContain(`color="${colours[ink]}"`)
    }
  })
})

test('the feed has every post, newest first, with its address, a full date and a summary', () => {
  const feed = readFileSync(join(siteDirectory, 'rss.xml'), 'utf8')
  const items = [...feed.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = '']) => {
    const text = (name: string) => new RegExp(`<${name}\\b[^>]*>([^<]*)</${name}>`).exec(item)?.[1] ?? ''
    expect(text('guid')).toBe(text('link'))
    expect(text('title')).not.toBe('')
    expect(text('description').length).toBeGreaterThanOrEqual(50)
    expect(text('pubDate')).toMatch(/^\w{3}, \d\d \w{3} \d{4} 00:00:00 GMT$/)
    const [route, atMs] = [new URL(text('link')).pathname, Date.parse(text('pubDate'))]
    expect(posts.get(route), route).toContain(`"datePublished":"${new Date(atMs).toISOString()}"`)
    return { route, atMs }
  })
  expect(new Set(items.map(({ route }) => route))).toEqual(new Set(posts.keys()))
  expect(items.map(({ atMs }) => atMs)).toEqual(items.map(({ atMs }) => atMs).sort((a, b) => b - a))
  expect(feed).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><rss version="2.0"/)
})

test('every listed page tells readers of feeds where the feed is', () => {
  for (const [route, html] of pages) {
    expect(html, route).toMatch(
      /<link rel="alternate" type="application\/rss\+xml" title="[^"]+" href="\/rss.xml">/,
    )
  }
})

test('a rate card prints the rate of the tariff and leads to the country', () => {
  const html = posts.get('/blog/when-to-ring-a-short-guide-to-time-zones') ?? ''
  const tariff = readFileSync(join(import.meta.dirname, '../../public/tariff.csv'), 'utf8')
  const usd = Number(/^91\d*,IN,mobile,([\d.]+)$/m.exec(tariff)?.[1])
  expect(html).toContain(`<b class="num">${(usd * 100).toFixed(1)}¢</b>`)
  expect(html).toContain('href="/call?country=in"')
  expect(existsSync(join(siteDirectory, 'calling/in.html'))).toBe(html.includes('href="/calling/in"'))
})
