import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file per server of the end-to-end run. */
export const serverLogs = join(import.meta.dirname, '..', '..', 'test-results', 'server-logs')

const stories = join(import.meta.dirname, '..', 'e2e')

const patterns: Readonly<Record<string, RegExp>> = {
  'a signed token': /\beyJ[\w-]{8,}\.[\w-]{8,}\.?/,
  'a phone number': /(?<![\w.])(?:\+|%2B)[1-9]\d{6,14}\b/i,
  'an e-mail address': /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/i,
  'a header that holds a secret': /"(?:set-)?cookie"|"authorization"|\bbearer [\w.-]{8,}/i,
  'a cookie': /\b(?:__Host-)?(?:refresh|device|operator)=[\w%.-]{8,}/,
  'a link that lets somebody in':
    /\/reset-password\/[\w-]{8,}|[?&#](?:token|code|state|session|sign-in)=[\w%.-]{6,}/,
  'a token': /"\w*(?:token|secret|password)"\s*:\s*"[^"]{20,}"/i,
  'a card number': /(?<!\d)\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}(?!\d)/,
  'a key of a provider': /\b(?:[sr]k_(?:test|live)|whsec)_\w+/,
}

/**
 * Secrets in the end-to-end tests themselves: dialled numbers and passwords.
 * @param sources of the tests
 */
export function secretsOf(sources: readonly string[]): ReadonlySet<string> {
  const secrets = new Set<string>()
  for (const source of sources) {
    for (const [, number = ''] of source.matchAll(/['"`]\+?(\d[\d ()-]{6,18}\d)['"`]/g))
      secrets.add(number.replace(/\D/g, ''))
    for (const [, password = ''] of source.matchAll(/password\b[^\n]*?(?:fill\(|= )'([^'\n]{8,})'/gi))
      secrets.add(password)
  }
  return secrets
}

export function readStories(): readonly string[] {
  const folders = [stories, import.meta.dirname]
  return folders.flatMap(folder =>
    readdirSync(folder)
      .filter(name => name.endsWith('.ts'))
      .map(name => readFileSync(join(folder, name), 'utf8')),
  )
}

/** The digits of about one in 4,000 identifiers look like a card number: 1478-7740-8834-8694. */
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

/** @returns findings, each kind once per line, without the secret itself */
export function findSecrets(log: string, secrets: ReadonlySet<string>): readonly string[] {
  const whole = [...secrets].map(secret => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const known = new RegExp(`(?<![\\w.-])(?:${whole.join('|')})(?![\\w-])`)
  const kinds = { ...patterns, ...(secrets.size === 0 ? {} : { 'what a story typed': known }) }
  return log.split('\n').flatMap((line, index) =>
    Object.entries(kinds).flatMap(([kind, pattern]) => {
      // These fields contain digits that could match a number by chance.
      const said = line
        .replace(/"(?:time|pid|hostname|reqId|responseTime)":(?:"[^"]*"|[\d.]+),?/g, '')
        .replace(uuid, id => id.replace(/[0-9a-f]/gi, 'x'))
      return pattern.test(said) ? [`line ${index + 1}: ${kind}`] : []
    }),
  )
}

/** The level of `error` in pino's numbers; `fatal` is above it. */
const errorLevel = 50

/**
 * The lines of a log that tell of an error: those that the server logged as one, and those that are not its log's, such as an
 * uncaught exception's.
 * @param log whole lines
 */
export function findErrors(log: string): readonly string[] {
  return log.split('\n').filter(line => {
    if (line === '') return false
    if (!line.startsWith('{')) return true
    const { level }: { level?: unknown } = JSON.parse(line)
    return typeof level !== 'number' || level >= errorLevel
  })
}
