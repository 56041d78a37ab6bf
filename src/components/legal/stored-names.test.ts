import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(
    path => /\.(?:ts|tsx|astro)$/.test(path) && !path.includes('.test.') && !path.startsWith('islands/dev/'),
  )
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** What a first argument is that no constant of this name holds. */
const computed: Readonly<Record<string, readonly string[]>> = {
  'islands/dialler/sound/chosen-sound.ts keyOf(kind)': ['microphoneDevice', 'speakerDevice'],
  'shared/sign-up/sent-mail.ts key': ['confirmationMail', 'resetMail'],
  // What these are called with is found where they are called.
  'session/storage.ts key': [],
  'session/session.ts key': [],
}

/** The frame's script, which is kept short, reads properties. */
const property = /\bstore\['(\w+)'\]/g
const call =
  /(?:\b(?:localStore|tabStore)\??\.(?:read|write)|\b(?:localStorage|sessionStorage|store)\.(?:getItem|setItem)|\bconsumeFromTab)\(\s*([\w$]+(?:\([\w$]*\))?|'[^']*')/g

function constant(name: string, text: string): string | undefined {
  return new RegExp(`const ${name} = '([^']+)'`).exec(text)?.[1]
}

/** The names behind the first argument of a call that reads or writes the storage. */
function namesOf(argument: string, { path, text }: (typeof sources)[number]): readonly string[] {
  if (argument.startsWith("'")) return [argument.slice(1, -1)]
  const own = constant(argument, text)
  if (own !== undefined) return [own]
  const imported = new RegExp(`(\\w+) as ${argument}\\b`).exec(text)?.[1] ?? argument
  const found = sources.map(source => constant(`${imported}`, source.text)).find(name => name !== undefined)
  const isImported = new RegExp(`import[^;]*?\\b${imported}\\b[^;]*?from`).test(text)
  if (isImported && found !== undefined) return [found]
  return computed[`${path} ${argument}`] ?? expect.fail(`${path} stores under ${argument}: name it here`)
}

test('the cookies page names everything that the pages store in a browser, and nothing else', () => {
  const referralScript = readFileSync(join(root, '../public/referral.js'), 'utf8')
  const used = new Set([
    ...sources.flatMap(source =>
      [...source.text.matchAll(call)].flatMap(([, argument = '']) => namesOf(argument, source)),
    ),
    ...sources.flatMap(({ text }) => [...text.matchAll(property)].map(([, name = '']) => name)),
    ...[...referralScript.matchAll(/const \w*key\w* = '(\w+)'/gi)].map(([, name = '']) => name),
  ])
  expect(used.size).toBeGreaterThan(20)
  const page = readFileSync(join(root, 'content/legal/cookies.md'), 'utf8')
  const lines = page.split('\n').filter(line => /^- \*\*.*(?:local|session) storage/.test(line))
  const named = lines.flatMap(line => [...line.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name]) => name))
  expect(named.sort()).toEqual([...used].sort())
})
