import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm from 'node:vm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readBuiltSite, siteDirectory } from '#support/built-site.ts'
import { builtTags } from '#support/languages.ts'
import { createWeb } from '#support/web.ts'
import { exportSite } from '../../deploy/cdn/export.ts'

const publicUrl = 'https://farline.example'
const target = mkdtempSync(join(tmpdir(), 'farline-export-'))
let routes: readonly string[]
let rules: Rules

type Rules = ReadonlyMap<string, ReadonlyMap<string, string>>

function rulesIn(directory: string): Rules {
  const blocks = readFileSync(join(directory, '_headers'), 'utf8')
    .trim()
    .split(/\n(?=\S)/)
  return new Map(
    blocks.map(block => {
      const [pattern = '', ...lines] = block.split('\n')
      return [pattern, new Map(lines.map(line => line.trim().split(/: (.*)/) as [string, string]))]
    }),
  )
}

/** The one rule by which a host serves an address. */
function ruleOf(route: string) {
  const matching = [...rules].filter(([pattern]) =>
    new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`).test(route),
  )
  expect(matching, route).toHaveLength(1)
  return matching[0]?.[1]
}

beforeAll(async () => {
  routes = [...readBuiltSite().keys()].filter(route => !route.startsWith('/dev/'))
  await exportSite({ site: siteDirectory, publicUrl, target })
  rules = rulesIn(target)
}, 120_000)
afterAll(() => rmSync(target, { recursive: true, force: true }))

const { fileOf, handler } = vm.runInNewContext(
  `${readFileSync(join(import.meta.dirname, '../../deploy/cdn/rewrite.js'), 'utf8')}; ({ fileOf, handler })`,
) as {
  fileOf: (path: string) => string
  handler: (event: { request: { uri: string } }) => { uri: string }
}

test('the one rule leads every address of a page to its file, and leaves files alone', () => {
  for (const route of routes) {
    expect(existsSync(join(target, fileOf(route))), route).toBe(true)
  }
  expect(fileOf('/reset-password/s3cr3t.t0ken')).toBe('/reset-password.html')
  expect(fileOf('/es/reset-password/s3cr3t.t0ken')).toBe('/es/reset-password.html')
  expect(fileOf('/_astro/call.abc123.js')).toBe('/_astro/call.abc123.js')
  expect(existsSync(join(target, fileOf('/nowhere')))).toBe(false)
  expect(handler({ request: { uri: '/calling/in' } }).uri).toBe('/calling/in.html')
})

test('does not copy what is not public', () => {
  for (const path of ['.server', 'dev', 'index.html.br', 'index.html.gz']) {
    expect(existsSync(join(siteDirectory, path)), path).toBe(true)
    expect(existsSync(join(target, path)), path).toBe(false)
  }
})

test('each page gets the headers that a server would send with it, in no more rules than a host takes', async () => {
  expect(rules.size).toBeLessThanOrEqual(100)
  const web = await createWeb({ siteDirectory, publicUrl, production: true })
  for (const route of routes) {
    const rule = ruleOf(route)
    const { headers } = await web.app.inject({ url: route.endsWith('/404') ? `${route}.html` : route })
    for (const name of [
      'cache-control',
      'referrer-policy',
      'strict-transport-security',
      'permissions-policy',
    ])
      expect([route, name, rule?.get(name)]).toEqual([route, name, headers[name]])
    const policy = rule?.get('content-security-policy') ?? ''
    if (route === '/call') expect(policy).toContain('wss://voice-js.roaming.twilio.com')
    else expect([route, policy]).toEqual([route, headers['content-security-policy']])
    for (const [, value] of rule ?? []) expect(value.length).toBeLessThanOrEqual(1900)
  }
  await web.close()
  expect(rules.get('/reset-password/*')?.get('referrer-policy')).toBe('no-referrer')
  expect(rules.get('/_astro/*')?.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('files that other sites may read say so, with all that a server sends beside them', async () => {
  const web = await createWeb({ siteDirectory, publicUrl, production: true })
  for (const path of [
    '/rates.json',
    '/rates.csv',
    '/tariff.csv',
    '/api/openapi.json',
    '/llms.txt',
    '/sw.js',
  ]) {
    expect(existsSync(join(target, path)), path).toBe(true)
    const { headers } = await web.app.inject({ url: path })
    const open = ['/llms.txt', '/sw.js'].includes(path) ? undefined : '*'
    expect([path, rules.get(path)?.get('access-control-allow-origin')]).toEqual([path, open])
    for (const name of ['cache-control', 'cross-origin-resource-policy', 'x-content-type-options'])
      expect([path, name, rules.get(path)?.get(name)]).toEqual([path, name, headers[name]])
  }
  await web.close()
})

test('the pages of all languages share their rules where they need the same headers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farline-languages-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [site, exported] = [join(folder, 'site'), join(folder, 'exported')]
  const tags = ['es', 'ar', 'fr']
  // A page that needs its own headers in one language takes a rule in each.
  const others = new RegExp(`/(?:${builtTags().join('|')})(?:\\.html)?$`)
  cpSync(siteDirectory, site, {
    recursive: true,
    filter: path => !(/\.(?:br|gz|png)$|\/dev$/.test(path) || others.test(path)),
  })
  const hashFile = join(site, '.server', 'csp.json')
  const hashes = JSON.parse(readFileSync(hashFile, 'utf8'))
  for (const tag of tags) {
    for (const route of ['', '/404', '/faq', '/reset-password', '/calling/in', '/calling/mx', '/login']) {
      cpSync(join(site, `${route || 'index'}.html`), join(site, `${tag}${route}.html`))
      hashes[`/${tag}${route}`] = hashes[route || '/']
    }
  }
  hashes['/es/login'] = hashes['/faq']
  writeFileSync(hashFile, JSON.stringify(hashes))
  await exportSite({ site, publicUrl, target: exported })
  const found = rulesIn(exported)
  for (const route of ['/404', '/faq', '/reset-password', '/calling/:page', '/reset-password/*'])
    expect([route, found.get(`/:language${route}`)]).toEqual([route, found.get(route)])
  for (const tag of tags) expect(found.get(`/${tag}`)).toEqual(found.get('/'))
  expect(found.has('/:language')).toBe(false)
  expect(found.has('/:language/login')).toBe(false)
  expect(found.get('/fr/login')).toEqual(found.get('/login'))
  expect(found.get('/es/login')).not.toEqual(found.get('/login'))
  expect(readFileSync(join(exported, '_redirects'), 'utf8')).toContain(
    '/es/reset-password/* /es/reset-password.html 200\n',
  )
})

test('nothing is written over', async () => {
  await expect(exportSite({ site: siteDirectory, publicUrl, target })).rejects.toThrow('is not empty')
})
