/**
 * `npm run export-site -- <directory>`: the built site for a host of static files, with `_headers` and `_redirects` as
 * Netlify and Cloudflare Pages read them. Our own server is asked for the headers, page by page, as policies differ.
 */
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { watchBuiltSite } from '#server/http/built-site.ts'
import { openPublicFiles, publicFiles } from '#server/http/public-files-routes.ts'
import { sendSecurityHeaders } from '#server/http/security-headers.ts'
import { serveSite } from '#server/http/static-site.ts'
import { voiceClientHosts } from '#server/telephony/twilio/browser-hosts.ts'

export interface ExportedSite {
  /** A finished build. */
  readonly site: string
  /** Where people will reach it and the API, on one host. */
  readonly publicUrl: string
  /** An empty directory, or one that is not there yet. */
  readonly target: string
}

/** What a host of files sends by itself, or must not: lengths, compression and times are its own. */
const ownHeaders = new Set([
  'accept-ranges',
  'connection',
  'content-length',
  'content-type',
  'date',
  'etag',
  'vary',
])

/** What the build keeps for the server, what development alone has, and copies that a CDN makes itself. */
const kept = (path: string) => !/^(?:\.server|dev)(?:\/|$)|\.(?:br|gz)$/.test(path)

export async function exportSite({ site, publicUrl, target }: ExportedSite): Promise<void> {
  const stamp = join(site, '.server', 'build.json')
  if (!existsSync(stamp) || JSON.parse(readFileSync(stamp, 'utf8')).draft === true)
    throw new Error('Build the site first: npm run build')
  if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty`)
  mkdirSync(target, { recursive: true })
  cpSync(site, target, { recursive: true, filter: source => kept(source.slice(site.length + 1)) })
  const pages = globSync('**/*.html', { cwd: target }).sort()
  const rules = await headersOf(site, publicUrl, pages)
  writeFileSync(join(target, '_headers'), formatHeaders(rules))
  writeFileSync(join(target, '_redirects'), '/reset-password/* /reset-password.html 200\n')
}

type Rules = ReadonlyMap<string, Readonly<Record<string, string>>>

/** The headers of each address pattern. Patterns do not overlap: a host would join the headers of two. */
async function headersOf(site: string, publicUrl: string, pages: readonly string[]): Promise<Rules> {
  const built = watchBuiltSite(site, () => 0)
  const app = Fastify({ rewriteUrl: request => built.rewrite(request.url ?? '/') })
  await sendSecurityHeaders(app, { publicUrl, site: built, voiceHosts: voiceClientHosts })
  openPublicFiles(app)
  await serveSite(app, { directory: site, site: built, local: false })
  const ask = async (url: string) => {
    const { headers, statusCode } = await app.inject({ url, headers: { 'accept-encoding': 'identity' } })
    if (statusCode !== 200) throw new Error(`${url} is not served: ${statusCode}`)
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        ownHeaders.has(name) ? [] : [[name, String(value)] as const],
      ),
    )
  }
  const rules = new Map<string, Record<string, string>>()
  for (const page of pages) {
    const route = page === 'index.html' ? '/' : `/${page.slice(0, -'.html'.length)}`
    // Pages that are alike share a rule: hosts take a hundred.
    const pattern = route.startsWith('/calling/') ? '/calling/*' : route
    const headers = await ask(page === '404.html' ? '/404.html' : route)
    const same = rules.get(pattern)
    if (same !== undefined && JSON.stringify(same) !== JSON.stringify(headers))
      throw new Error(`${route} needs other headers than the pages beside it`)
    rules.set(pattern, headers)
  }
  const reset = rules.get('/reset-password')
  if (reset !== undefined) rules.set('/reset-password/*', reset)
  const asset = globSync('_astro/*.js', { cwd: site })[0]
  if (asset !== undefined) rules.set('/_astro/*', withoutPolicy(await ask(`/${asset}`)))
  const picture = globSync('og/**/*.png', { cwd: site })[0]
  if (picture !== undefined) rules.set('/og/*', withoutPolicy(await ask(`/${picture}`)))
  for (const path of [...publicFiles, '/llms.txt', '/sw.js']) rules.set(path, withoutPolicy(await ask(path)))
  await app.close()
  return rules
}

/** A policy governs pages; a script or a picture has none. */
function withoutPolicy(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:content-security|permissions)-policy$/.test(name)),
  )
}

function formatHeaders(rules: Rules): string {
  return [...rules]
    .map(([pattern, headers]) =>
      [pattern, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n')
    .concat('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , target] = process.argv
  const publicUrl = process.env['PUBLIC_URL'] ?? ''
  if (target === undefined || publicUrl === '') {
    console.error('Say where to: PUBLIC_URL=https://... npm run export-site -- <directory>')
    process.exit(2)
  }
  await exportSite({ site: join(import.meta.dirname, '..', '..', 'dist'), publicUrl, target })
  const bytes = readFileSync(join(target, '_headers')).length
  console.log(`The site is in ${target}, its headers (${bytes} B) in ${join(target, '_headers')}`)
}
