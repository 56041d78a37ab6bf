import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import vm from 'node:vm'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fillServiceWorker } from '#scripts/build/service-worker.mjs'
import { attributes, readBuiltSite, siteDirectory } from '#support/built-site.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

const pages = readBuiltSite()
const web = keepForFile(await createWeb({ siteDirectory, production: true }))

interface Site {
  readonly versions: readonly string[]
  readonly cache: string
  readonly kept: readonly string[]
}

/** What the build wrote into the worker. */
function builtFor(code: string): Site {
  return vm.runInNewContext(`${code.slice(0, code.indexOf(';'))}; site`)
}

const worker = () => readFileSync(join(siteDirectory, 'sw.js'), 'utf8')

test('the worker keeps the offline page, what that shows, and nothing that changes by itself', () => {
  const { kept, versions } = builtFor(worker())
  expect(kept[0]).toBe('/offline')
  for (const path of kept.slice(1)) {
    expect(path).toMatch(/^\/(?:fonts|art)\//)
    expect(existsSync(join(siteDirectory, path)), path).toBe(true)
  }
  const offline = pages.get('/offline') ?? ''
  // Its only script file is that of the log-out, fetched at a press.
  for (const source of attributes(offline, 'src').filter(address => !address.startsWith('/_astro/')))
    expect(kept).toContain(source)
  expect(attributes(pages.get('/call') ?? '', 'component-url')).toContainEqual(expect.toBeOneOf(versions))
  expect(readFileSync(join(siteDirectory, 'sw.js')).length).toBeLessThan(3072)
})

test('the worker is asked for again each time, may run, and reaches this site alone', async () => {
  const { headers, statusCode } = await web.app.inject({ url: '/sw.js' })
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/)
  for (const url of ['/sw.js', '/call', '/offline']) {
    const policy = String((await web.app.inject({ url })).headers['content-security-policy'])
    expect(policy).toContain("worker-src 'self'")
    expect(policy).toContain("manifest-src 'self'")
  }
})

test('its bytes change with the dialler and the offline page, and not with any other page', async () => {
  const { mkdirSync, mkdtempSync, writeFileSync, cpSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'farline-worker-'))
  for (const path of builtFor(worker()).kept.slice(1)) cpSync(join(siteDirectory, path), join(folder, path))
  const files = new Map(
    [...pages]
      .filter(([route]) => /\/(?:call|offline|faq)$/.test(route))
      .map(([route, html]) => [`${route.slice(1)}.html`, html]),
  )
  const fill = async (change: (name: string, html: string) => string) => {
    writeFileSync(join(folder, 'sw.js'), 'const site="SITE";')
    for (const [name, html] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), change(name, html))
    }
    await fillServiceWorker(folder, [...files.keys()])
    return readFileSync(join(folder, 'sw.js'), 'utf8')
  }
  const before = await fill((_, html) => html)
  expect(await fill((name, html) => (name === 'faq.html' ? `${html} ` : html))).toBe(before)
  const dialler = await fill((name, html) =>
    name === 'call.html' ? html.replace(/\/Dialler\.[^"]*/, '/Dialler.new.js') : html,
  )
  expect(builtFor(dialler)).toMatchObject({
    versions: expect.arrayContaining(['/_astro/Dialler.new.js']),
    cache: builtFor(before).cache,
  })
  const offline = await fill((name, html) => (name === 'offline.html' ? `${html} ` : html))
  expect(builtFor(offline).cache).not.toBe(builtFor(before).cache)
  rmSync(folder, { recursive: true })
})

test('the manifest has all that an installed app needs, and its icons are what it says', async () => {
  const manifest = JSON.parse((await web.app.inject({ url: '/site.webmanifest' })).body)
  expect(manifest).toMatchObject({
    id: '/',
    scope: '/',
    start_url: '/call',
    display: 'standalone',
    protocol_handlers: [{ protocol: 'tel', url: '/call#number=%s' }],
  })
  for (const { url } of manifest.shortcuts) expect(pages.has(url), url).toBe(true)
  expect(manifest.shortcuts.map(({ name }: { name: string }) => name)).toEqual([
    'Call',
    'Buy credits',
    'History',
  ])
  const icons = [manifest.icons, ...manifest.shortcuts.map(({ icons }: { icons: object[] }) => icons)].flat()
  for (const { src, sizes, type } of icons) {
    const { width, height } = await sharp(join(siteDirectory, src)).metadata()
    if (type === 'image/png') expect([src, sizes]).toEqual([src, `${width}x${height}`])
  }
  expect(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable')).toBe(true)
})
