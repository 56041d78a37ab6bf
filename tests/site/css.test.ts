import { globSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { readBuiltSite } from '#support/built-site.ts'

/** Each page's styles, by its route. */
let styles: ReadonlyMap<string, string>

beforeAll(() => {
  styles = new Map(
    [...readBuiltSite()].map(([route, html]) => [
      route,
      [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css]) => css).join(''),
    ]),
  )
}, 60_000)

/** Calls of a CSS function with all that stands in their parentheses. */
function callsOf(name: string, css: string): readonly string[] {
  return [...css.matchAll(new RegExp(`${name}\\(`, 'g'))].map(({ index }) => {
    let depth = 0
    let end = index + name.length
    do {
      if (css[end] === '(') depth += 1
      if (css[end] === ')') depth -= 1
      end += 1
    } while (depth > 0 && end < css.length)
    return css.slice(index, end)
  })
}

/** CSS without the blocks that begin like this. */
function withoutBlocks(start: string, css: string): string {
  const [before = '', ...parts] = css.split(start)
  return parts.reduce((kept, part) => {
    let depth = 0
    let end = 0
    do {
      if (part[end] === '{') depth += 1
      if (part[end] === '}') depth -= 1
      end += 1
    } while (depth > 0 && end < part.length)
    return kept + part.slice(end)
  }, before)
}

test('every mixed colour names the space that it is mixed in', () => {
  const mixes = new Set([...styles.values()].flatMap(css => callsOf('color-mix', css)))
  expect(mixes.size).toBeGreaterThan(0)
  for (const mix of mixes) expect(mix).toMatch(/^color-mix\(in [a-z]+/)
})

test('styles under the pointer are only where there is one, so that none sticks after a touch', () => {
  for (const [route, css] of styles) {
    const elsewhere = withoutBlocks('@media (hover:hover)', css)
    expect(elsewhere.length, route).toBeLessThan(css.length)
    expect(elsewhere, route).not.toContain(':hover')
  }
})

test('no gradient repeats mixed colours, of which Firefox draws nothing', () => {
  const gradients = new Set(
    [...styles.values()].flatMap(css => callsOf('repeating-(?:linear|radial|conic)-gradient', css)),
  )
  for (const gradient of gradients) expect(gradient).not.toContain('color-mix(')
})

test('stamps are perforated by their border, which all engines fit to whole pixels', () => {
  const withStamps = [...styles].filter(([, css]) => css.includes('--hole:'))
  expect(withStamps.map(([route]) => route)).toEqual(
    expect.arrayContaining(['/', '/blog', '/buy-credits', '/calling/in']),
  )
  const border = /\.stamp\{[^{}]*border-image:url\("data:image\/svg\+xml,[^"]*"\) 15 fill round/
  for (const [route, css] of withStamps) {
    expect(css, route).toMatch(border)
    expect(css, route).not.toContain('radial-gradient(var(--hole)')
  }
})

test('the perforated paper has the colours of a stamp by day and by night', () => {
  const tokens = readFileSync('src/styles/tokens.css', 'utf8')
  const [, day, night] = /--stamp:\s*light-dark\(#(\w+), #(\w+)\)/.exec(tokens) ?? []
  const papers = [...(styles.get('/') ?? '').matchAll(/border-image[^;}]*fill='%23(\w+)'/g)]
  expect(papers.map(([, colour]) => colour)).toEqual([day, night, night])
})

test('no :has() is asked of every element, which would restyle the whole page at each of its changes', () => {
  const sheets = globSync('src/**/*.css')
  expect(sheets.length).toBeGreaterThan(20)
  for (const sheet of sheets)
    expect(readFileSync(sheet, 'utf8'), sheet).not.toMatch(/(?:^|[\s,>+~])\*?:has\(/)
})
