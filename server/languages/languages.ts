import { AsyncLocalStorage } from 'node:async_hooks'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { bestLanguage } from '#lib/i18n/best-language.ts'
import { readLanguageFrom, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'

const folder = join(import.meta.dirname, '..', '..', 'src', 'languages')
const running = new AsyncLocalStorage<string>()
const known = [sourceLanguage, ...globSync('*/language.json', { cwd: folder }).map(dirname)]
const loaded = new Set([sourceLanguage])

/** Call once in a process. From then on a text is in the language of `inLanguage`. */
export function openLanguages(): void {
  readLanguageFrom(() => running.getStore() ?? sourceLanguage)
}

/** Reads a language's messages where they are first needed. */
function load(tag: string): void {
  if (loaded.has(tag)) return
  loaded.add(tag)
  const files = globSync(`${tag}/*.json`, { cwd: folder })
  const scopes = files.map(file => [
    basename(file, '.json'),
    JSON.parse(readFileSync(join(folder, file), 'utf8')),
  ])
  addLanguage(tag, Object.fromEntries(scopes))
}

/** Runs `work`, and what it awaits, in a language; English for a language that this process does not know. */
export function inLanguage<Result>(language: string, work: () => Result): Result {
  const tag = known.includes(language) ? language : sourceLanguage
  load(tag)
  return running.run(tag, work)
}

/** As `inLanguage`, for what is made piece by piece as somebody reads it. */
export async function* piecesInLanguage<Piece>(
  language: string,
  make: () => AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  const pieces = inLanguage(language, make)
  const read = () => inLanguage(language, () => pieces.next())
  try {
    for (let piece = await read(); !piece.done; piece = await read()) yield piece.value
  } finally {
    await pieces.return(undefined)
  }
}

/** The language of the page that sent a request, which it names in `Accept-Language`; English without one of ours. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const wanted = (headers['accept-language'] ?? '').slice(0, 200).split(',')
  const tags = wanted.map(each => each.replace(/;.*$/, '').trim())
  return bestLanguage(tags, known) ?? sourceLanguage
}
