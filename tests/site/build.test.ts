import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashOf, scriptHashes } from '#scripts/build/csp-hashes.mjs'
import { finishSite, routeOfPage } from '#scripts/build/finish.mjs'
import { Page } from '#scripts/build/page.mjs'
import { compressionName, precompress } from '#scripts/build/precompress.mjs'
import { sourcesFingerprint } from '#scripts/fingerprint.mjs'
import { publicUrlOf } from '#scripts/public-url.mjs'
import { isBuilt, swapSite } from '#scripts/site.mjs'
import { readConfig } from '#server/config.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farline-build-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

describe('compressed copies', () => {
  const text = 'Call home for less than a stamp. '.repeat(60)

  test('hold the same text', async () => {
    write('index.html', text)
    write('a/b.svg', text)
    expect(await precompress(folder)).toBe(2)
    expect(brotliDecompressSync(readFileSync(join(folder, 'index.html.br'))).toString()).toBe(text)
    expect(gunzipSync(readFileSync(join(folder, 'a/b.svg.gz'))).toString()).toBe(text)
  })

  test('are taken from an earlier site where a file did not change, and made anew where it did', async () => {
    const compression = await compressionName()
    write('earlier/.server/build.json', JSON.stringify({ compression }))
    write('earlier/same.html', text)
    write('earlier/same.html.br', 'kept brotli')
    write('earlier/same.html.gz', 'kept gzip')
    write('earlier/changed.html', `${text}earlier`)
    write('earlier/changed.html.br', 'old')
    write('earlier/changed.html.gz', 'old')
    for (const name of ['same', 'changed', 'new']) write(`next/${name}.html`, text)
    expect(await precompress(join(folder, 'next'), { earlier: join(folder, 'earlier') })).toBe(3)
    const read = (name: string) => readFileSync(join(folder, 'next', name))
    expect(['same.html.br', 'same.html.gz'].map(name => read(name).toString())).toEqual([
      'kept brotli',
      'kept gzip',
    ])
    for (const name of ['changed', 'new']) {
      expect(brotliDecompressSync(read(`${name}.html.br`)).toString()).toBe(text)
      expect(gunzipSync(read(`${name}.html.gz`)).toString()).toBe(text)
    }
  })

  test('are not made of small files, nor of what is compressed already', async () => {
    write('small.html', text.slice(0, 1024))
    write('font.woff2', text)
    expect(await precompress(folder)).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['font.woff2', 'small.html'])
  })
})

describe('the fingerprint of the sources', () => {
  const now = () => sourcesFingerprint(folder, {})

  test('changes with a word, a new file and a lost one, wherever in the sources', () => {
    write('src/pages/index.astro', 'one')
    const seen = [now()]
    write('src/pages/index.astro', 'two')
    seen.push(now())
    write('public/tariff.csv', '')
    seen.push(now())
    rmSync(join(folder, 'src/pages/index.astro'))
    seen.push(now())
    write('package-lock.json', '{}')
    seen.push(now())
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('changes with every script that the site is finished with', () => {
    const imports = (script: string): string[] =>
      [...readFileSync(script, 'utf8').matchAll(/from '(\.[^']+\.mjs)'/g)]
        .map(([, path = '']) => join(dirname(script), path))
        .flatMap(path => [path, ...imports(path)])
    const scripts = new Set(['scripts/site.mjs', ...imports('astro.config.mjs')])
    expect(scripts.size).toBeGreaterThan(5)
    for (const script of scripts) {
      const before = now()
      write(script, 'changed')
      expect(now(), script).not.toBe(before)
    }
  })

  test('changes when a file moves, or takes text from its neighbour', () => {
    write('src/a', 'x')
    write('src/b', 'yz')
    const before = now()
    write('src/a', 'xy')
    write('src/b', 'z')
    const moved = now()
    rmSync(join(folder, 'src/b'))
    write('src/c', 'z')
    expect(new Set([before, moved, now()]).size).toBe(3)
  })

  test('stays the same when only the times of files change, or what does not reach a page', () => {
    write('src/a', 'x')
    const before = now()
    utimesSync(join(folder, 'src/a'), 0, 0)
    write('server/main.ts', 'x')
    expect(now()).toBe(before)
  })

  test('depends on the public address, and not on the port or another variable', () => {
    const bare = sourcesFingerprint(folder, {})
    const published = sourcesFingerprint(folder, { PUBLIC_URL: 'https://example.com' })
    expect(published).not.toBe(bare)
    expect(sourcesFingerprint(folder, { PUBLIC_URL: 'https://example.com/', PORT: '5000' })).toBe(published)
    expect(sourcesFingerprint(folder, { PORT: '5000', PUBLIC_URL: '', HOME: '/x' })).toBe(bare)
  })
})

describe('the address that pages carry', () => {
  test.each([
    [{}, 'http://localhost:4321'],
    [{ PORT: '', PUBLIC_URL: '' }, 'http://localhost:4321'],
    [{ PORT: '5000', PUBLIC_URL: 'http://127.0.0.1:8080/' }, 'http://127.0.0.1:8080'],
  ])('with %o is the one that the server has, %s', (env, url) => {
    expect(publicUrlOf(env)).toBe(url)
    expect(readConfig(env).publicUrl).toBe(url)
  })

  test.each([
    [{ PORT: '5000' }, 'http://localhost:4321'],
    [{ PORT: '5000', PUBLIC_URL: 'https://example.com' }, 'https://example.com'],
  ])('is what the site is built for: with %o, %s', (env, url) => {
    const program = "import('./astro.config.mjs').then(config => console.log(config.default.site))"
    const { PUBLIC_URL: _, ...others } = process.env
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      encoding: 'utf8',
      env: { ...others, ...env },
    })
    expect(stdout.trim(), stderr).toBe(url)
  })
})

describe("Astro's own build with our integration", () => {
  const root = join(import.meta.dirname, '..', '..')

  test('finishes the site by itself', () => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    write('package.json', '{"type":"module"}')
    write(
      'astro.config.mjs',
      `import { farline } from ${JSON.stringify(join(root, 'scripts/build/integration.mjs'))}
      export default {
        build: { format: 'file', inlineStylesheets: 'always' },
        integrations: [farline()],
      }`,
    )
    write('src/code.ts', 'const words: string[] = ["in", "place"]\nconsole.log(words.join(" "))')
    write(
      'src/pages/index.astro',
      `---
      import code from '../code.ts?inline-script'
      ---
      <html lang="en"><head><title>a</title></head><body><p class="used">
      <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" class="lucide lucide-x i"></svg></p>
      <script is:inline set:html={code} /></body></html>
      <style is:global>.used{color:red}.idle{color:blue}</style>`,
    )
    const { PUBLIC_URL: _, ...env } = process.env
    const more = { ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', DRAFT_SITE: '1' }
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['node_modules/astro/bin/astro.mjs', 'build'],
      { cwd: folder, encoding: 'utf8', env: { ...env, ...more } },
    )
    expect(status, stdout + stderr).toBe(0)

    const html = readFileSync(join(folder, 'dist/index.html'), 'utf8')
    expect(html).toContain('<style>.used{color:red}</style></head>')
    expect(html).toContain('<svg class="i" viewBox="0 0 24 24"></svg>')
    expect(html).toMatch(/<script>[^<]*\bplace\b[^<]*<\/script>/)
    const hashes = JSON.parse(readFileSync(join(folder, 'dist/.server/csp.json'), 'utf8'))
    const [style = ''] = /(?<=<style>).*?(?=<\/style>)/s.exec(html) ?? []
    const scripts = scriptHashes(new Page('index.html', html))
    expect(hashes['/']).toEqual({ scripts, styles: [hashOf(style)] })
    expect([hashes['/'].scripts.length, hashes['/'].styles.length]).toEqual([1, 1])
    expect([isBuilt(folder, env), isBuilt(folder, env, { draft: true })]).toEqual([false, true])
    write('src/code.ts', '')
    expect(isBuilt(folder, env, { draft: true })).toBe(false)
  })

  test('comes after the integrations whose files it compresses', async () => {
    const { default: config } = await import('../../astro.config.mjs')
    expect(config.integrations?.flat().at(-1)).toMatchObject({ name: 'farline' })
  })

  test("compiles inline scripts with Astro's own Vite: another version would compile them differently", () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const copies = Object.keys(packages).filter(path => path.endsWith('node_modules/vite'))
    expect(copies).toEqual(['node_modules/vite'])
  })
})

describe('a finished site', () => {
  test('gives the server its routes and hashes, and counts as built until a source changes', async () => {
    write('src/a', 'x')
    write('dist/index.html', '<script>a()</script>')
    write('dist/call.html', '<style>p{}</style>')
    write('dist/dev/inbox.html', '')
    expect(isBuilt(folder, {})).toBe(false)
    await finishSite(join(folder, 'dist'), sourcesFingerprint(folder, {}))

    const { publicUrl, routes } = JSON.parse(readFileSync(join(folder, 'dist/.server/build.json'), 'utf8'))
    expect(publicUrl).toBe(publicUrlOf(process.env))
    expect(routes).toEqual({ '/': 'index.html', '/call': 'call.html', '/dev/inbox': 'dev/inbox.html' })
    const hashes = JSON.parse(readFileSync(join(folder, 'dist/.server/csp.json'), 'utf8'))
    expect(hashes).toEqual({
      '/': { scripts: [expect.stringMatching(/^'sha256-/)], styles: [] },
      '/call': { scripts: [], styles: [expect.stringMatching(/^'sha256-/)] },
      '/dev/inbox': { scripts: [], styles: [] },
    })

    expect(isBuilt(folder, {})).toBe(true)
    expect(isBuilt(folder, {}, { draft: true })).toBe(true)
    expect(isBuilt(folder, { PUBLIC_URL: 'https://example.com' })).toBe(false)
    expect(isBuilt(folder, { PORT: '5000' })).toBe(true)
    write('src/a', 'y')
    expect(isBuilt(folder, {})).toBe(false)
  })

  test('that is a draft is enough for `npm start` alone', async () => {
    write('src/a', 'x')
    write('dist/index.html', '<p>a</p>')
    await finishSite(join(folder, 'dist'), sourcesFingerprint(folder, {}), { draft: true })
    expect(isBuilt(folder, {})).toBe(false)
    expect(isBuilt(folder, {}, { draft: true })).toBe(true)
    write('src/a', 'y')
    expect(isBuilt(folder, {}, { draft: true })).toBe(false)
  })

  test('keeps the compressed copies of the site that it replaces, unless those are of another kind', async () => {
    const page = `<p>${'Call home for less than a stamp. '.repeat(60)}</p>`
    const copy = join(folder, 'next/index.html.br')
    const finishNext = async (options: { draft: boolean }) => {
      write('next/index.html', page)
      rmSync(join(folder, 'next/.server'), { recursive: true, force: true })
      await finishSite(join(folder, 'next'), 'any', { ...options, earlier: join(folder, 'dist') })
    }
    write('dist/index.html', page)
    await finishSite(join(folder, 'dist'), 'any')
    write('dist/index.html.br', 'kept')
    await finishNext({ draft: false })
    expect(readFileSync(copy).toString()).toBe('kept')
    await finishNext({ draft: true })
    expect(brotliDecompressSync(readFileSync(copy)).toString()).toBe(page)
  })

  test.each(['<p style="color:red">x</p>', '<button onClick="x()">x</button>'])(
    'carries no stamp when the policy forbids %s',
    async html => {
      write('dist/index.html', html)
      await expect(finishSite(join(folder, 'dist'), 'any')).rejects.toThrow('index.html')
      expect(isBuilt(folder, {})).toBe(false)
    },
  )

  test('takes the place of the old one whole', async () => {
    write('next/new.html', '')
    write('dist/old.html', '')
    await swapSite(join(folder, 'next'), join(folder, 'dist'))
    expect(readdirSync(folder)).toEqual(['dist'])
    expect(readdirSync(join(folder, 'dist'))).toEqual(['new.html'])
  })

  test.each([
    ['index.html', '/'],
    ['call.html', '/call'],
    ['dev/inbox.html', '/dev/inbox'],
    ['my-index.html', '/my-index'],
  ])('serves %s at %s', (file, route) => {
    expect(routeOfPage(file)).toBe(route)
  })
})
