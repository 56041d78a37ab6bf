import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { company } from '#lib/company.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { attributes, readBuiltSite, siteDirectory } from '#support/built-site.ts'

let pages: ReadonlyMap<string, string>
let text: string
let links: readonly URL[]

beforeAll(() => {
  pages = readBuiltSite()
  text = readFileSync(join(siteDirectory, 'llms.txt'), 'utf8')
  links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => new URL(address))
}, 120_000)

test('llms.txt has the parts that llmstxt.org names: a title, a summary, lists of links', () => {
  const lines = text.split('\n')
  expect(lines[0]).toBe(`# ${company.name}`)
  expect(lines[2]).toMatch(/^> .*mobiles and landlines/)
  const titles = lines.filter(line => line.startsWith('## ')).map(line => line.slice(3))
  expect(titles).toEqual(['Prices', 'Using it', 'API', 'Terms', 'Questions', 'Optional'])
  const below = lines.slice(lines.indexOf('## Prices'))
  const other = below.filter(line => line !== '' && !line.startsWith('## '))
  for (const line of other) expect(line).toMatch(/^- \[[^\]]+\]\(https?:\/\/[^)\s]+\)(: .+)?$/)
})

test('every link leads to a page or a file of this build, and to its part of it', () => {
  expect(links.length).toBeGreaterThan(60)
  for (const { href, pathname, hash } of links) {
    const page = pages.get(pathname)
    if (page === undefined) expect(existsSync(join(siteDirectory, pathname)), href).toBe(true)
    else if (hash !== '') expect(attributes(page, 'id'), href).toContain(hash.slice(1))
  }
})

test('every question, every legal text and every article is in it', () => {
  const paths = links.map(({ pathname, hash }) => pathname + hash)
  const names = (folder: string) =>
    globSync(`src/content/${folder}/**/[!_]*.{md,mdx}`, { cwd: join(siteDirectory, '..') })
      .filter(file => !/^draft: true/m.test(readFileSync(join(siteDirectory, '..', file), 'utf8')))
      .map(file => file.replace(/.*\//, '').replace(/\.mdx?$/, ''))
  const expected = [
    ...names('faq').map(name => `/faq#${name}`),
    ...names('legal').map(name => `/${name}`),
    ...names('blog').map(name => `/blog/${name}`),
  ]
  expect(expected.length).toBeGreaterThan(40)
  expect(paths).toEqual(expect.arrayContaining(expected))
})

test('it says the price that the tariff has', () => {
  const us = readTariff().byIso.get('US')
  expect(text).toContain(`$${((us?.ourRateMicroUsd ?? 0) / 1e6).toFixed(3)} a minute to mobiles`)
})
