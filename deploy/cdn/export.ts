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
  const pages = pagesIn(target)
  const rules = await headersOf(site, publicUrl, pages)
  writeFileSync(join(target, '_headers'), formatHeaders(rules))
  const resets = pages.filter(({ route }) => route === '/reset-password')
  writeFileSync(join(target, '_redirects'), resets.map(({ path }) => `${path}/* ${path}.html 200\n`).join(''))
}

interface Page {
  /** Its address. */
  readonly path: string
  /** The address of the same page in English. */
  readonly route: string
  /** The rule that it can share with the pages of its folder, and with those in other languages than English. */
  readonly pattern: string
}

function pagesIn(directory: string): readonly Page[] {
  const paths = globSync('**/*.html', { cwd: directory })
    .sort()
    .map(file => (file === 'index.html' ? '/' : `/${file.slice(0, -'.html'.length)}`))
  const languages = paths.filter(path => paths.includes(`${path}/404`))
  return paths.map(path => {
    const language = languages.find(each => path === each || path.startsWith(`${each}/`))
    if (path === language) return { path, route: '/', pattern: path }
    const route = path.slice(language?.length)
    const alike = route.replace(/^(\/calling|\/blog(?:\/\w+)?)\/[^/]+$/, '$1/:page')
    return { path, route, pattern: language === undefined ? alike : `/:language${alike}` }
  })
}

type Headers = Readonly<Record<string, string>>
type Rules = ReadonlyMap<string, Headers>

/** Hosts take no more. */
const maxRules = 100

/** The headers of each address pattern. Patterns do not overlap: a host would join the headers of two. */
async function headersOf(site: string, publicUrl: string, pages: readonly Page[]): Promise<Rules> {
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
  const rules = new Map<string, Headers>()
  const unlike: string[] = []
  for (const [pattern, group] of Map.groupBy(pages, page => page.pattern)) {
    const headers = new Map<string, Headers>()
    for (const { path } of group) headers.set(path, await ask(path.endsWith('/404') ? `${path}.html` : path))
    const [shared = {}] = headers.values()
    const areAlike = [...headers.values()].every(each => JSON.stringify(each) === JSON.stringify(shared))
    if (!areAlike) unlike.push(pattern)
    for (const [path, own] of areAlike ? [[pattern, shared] as const] : headers) {
      rules.set(path, own)
      // What follows there is a secret.
      if (path.endsWith('/reset-password')) rules.set(`${path}/*`, own)
    }
  }
  requireOneRuleEach(pages, rules)
  const asset = globSync('_astro/*.js', { cwd: site })[0]
  if (asset !== undefined) rules.set('/_astro/*', withoutPolicy(await ask(`/${asset}`)))
  const picture = globSync('og/**/*.png', { cwd: site })[0]
  if (picture !== undefined) rules.set('/og/*', withoutPolicy(await ask(`/${picture}`)))
  for (const path of [...publicFiles, '/llms.txt', '/sw.js']) rules.set(path, withoutPolicy(await ask(path)))
  await app.close()
  if (rules.size > maxRules)
    throw new Error(
      `Hosts take ${maxRules} rules, and these are ${rules.size}. Not alike are the pages of ${unlike.join(', ')}`,
    )
  return rules
}

function requireOneRuleEach(pages: readonly Page[], rules: Rules): void {
  for (const { path } of pages) {
    const matching = [...rules.keys()].filter(pattern => matches(pattern, path))
    if (matching.length !== 1) throw new Error(`${path} would get the headers of ${matching.join(' and ')}`)
  }
}

/** As a host matches them: a name stands for one part of an address. */
function matches(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')]
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
  )
}

/** A policy governs pages; a script or a picture has none. */
function withoutPolicy(headers: Headers): Headers {
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
