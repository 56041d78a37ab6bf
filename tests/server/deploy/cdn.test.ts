import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBuiltSite, siteDirectory } from '#support/built-site.ts'
import { createWeb } from '#support/web.ts'
import { exportSite } from '../../../deploy/cdn/export.ts'

const publicUrl = 'https://farline.example'
const target = mkdtempSync(join(tmpdir(), 'farline-export-'))
let routes: readonly string[]
let rules: ReadonlyMap<string, ReadonlyMap<string, string>>

beforeAll(async () => {
  routes = [...readBuiltSite().keys()].filter(route => !route.startsWith('/dev/'))
  await exportSite({ site: siteDirectory, publicUrl, target })
  const blocks = readFileSync(join(target, '_headers'), 'utf8')
    .trim()
    .split(/\n(?=\S)/)
  rules = new Map(
    blocks.map(block => {
      const [pattern = '', ...lines] = block.split('\n')
      return [pattern, new Map(lines.map(line => line.trim().split(/: (.*)/) as [string, string]))]
    }),
  )
}, 120_000)
afterAll(() => rmSync(target, { recursive: true, force: true }))

const { fileOf, handler } = vm.runInNewContext(
  `${readFileSync(join(import.meta.dirname, '../../../deploy/cdn/rewrite.js'), 'utf8')}; ({ fileOf, handler })`,
) as {
  fileOf: (path: string) => string
  handler: (event: { request: { uri: string } }) => { uri: string }
}

test('the one rule leads every address of a page to its file, and leaves files alone', () => {
  for (const route of routes) {
    expect(existsSync(join(target, fileOf(route))), route).toBe(true)
  }
  expect(fileOf('/reset-password/s3cr3t.t0ken')).toBe('/reset-password.html')
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
    const rule = rules.get(route) ?? rules.get(route.replace(/\/[^/]+$/, '/*'))
    const { headers } = await web.app.inject({ url: route === '/404' ? '/404.html' : route })
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

test('nothing is written over', async () => {
  await expect(exportSite({ site: siteDirectory, publicUrl, target })).rejects.toThrow('is not empty')
})
