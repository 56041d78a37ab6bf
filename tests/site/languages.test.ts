import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { bindTexts } from '#scripts/build/languages/bind-texts.mjs'
import { languageFaults, unreadTexts } from '#scripts/build/languages/build.mjs'
import { type Language, readEnglish, readLanguages } from '#scripts/build/languages/catalogues.mjs'
import { faultsOf, unusedTexts } from '#scripts/build/languages/check.mjs'
import { contentFaultsOf } from '#scripts/build/languages/content.mjs'
import { localiseScripts } from '#scripts/build/languages/localise.mjs'
import { pseudoLanguage } from '#scripts/build/languages/pseudo.mjs'
import { textsPlugin } from '#scripts/build/languages/texts-plugin.mjs'

const english = await readEnglish()
const languages = readLanguages()

test('every language has every message, and every text is read', async () => {
  expect(languages.map(({ tag }) => tag)).toContain('es')
  expect(await languageFaults()).toEqual([])
  expect(await unreadTexts()).toEqual([])
})

/** Spanish with one message changed, or without it. */
function spanishWith(scope: string, key: string, text?: string): Language {
  const spanish = structuredClone(languages.find(({ tag }) => tag === 'es')) as Language
  const messages = spanish.scopes[scope] as Record<string, string>
  if (text === undefined) delete messages[key]
  else messages[key] = text
  return spanish
}

test.each([
  ['frame', 'menu', undefined, 'is missing'],
  ['frame', 'manu', 'Menú', 'is used nowhere'],
  ['frame', 'letters', 'cartas', 'has the placeholders [], not [company:text]'],
  [
    'calculator',
    'free',
    'gratis {minutes, plural, one {# minuto} other {# minutos}}',
    'lacks the plural form many',
  ],
  [
    'calculator',
    'free',
    'gratis {minutes, plural, one {#} few {#} many {#} other {#}}',
    'has the plural form few, which its language does not use',
  ],
])('a build fails with file and key: %s, %s', (scope, key, text, fault) => {
  expect(faultsOf(spanishWith(scope, key, text), english)).toEqual([
    `src/languages/es/${scope}.json: ${key}: ${fault}`,
  ])
})

test('a build fails with the file of a question that is missing, left over, or leads elsewhere', async () => {
  const root = await mkdtemp(join(tmpdir(), 'questions-'))
  const write = async (file: string, text: string) => {
    await mkdir(join(root, dirname(file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  await write('src/content/faq/echo.md', 'Use headphones.')
  await write('src/content/faq/buy.md', 'On [Buy Credits](/buy-credits) of {{name}}.')
  await write('src/languages/es/faq/buy.md', 'En [Comprar saldo](/buy) de {{name}}.')
  await write('src/languages/es/faq/old.md', 'Sí.')
  expect(contentFaultsOf('es', root)).toEqual([
    'src/languages/es/faq/buy.md: has the links and facts ](/buy) {{name}}, not ](/buy-credits) {{name}}',
    'src/languages/es/faq/echo.md: is missing',
    'src/languages/es/faq/old.md: has no question in src/content/faq',
  ])
})

test('a text that nothing reads is named', () => {
  const definitions = [{ file: 'src/a/texts.ts', name: 'texts', english: { used: 'Used', idle: 'Idle' } }]
  const sources = new Map([['src/a/A.tsx', "import { texts } from './texts.ts'\ntexts.used"]])
  expect(unusedTexts(definitions, sources)).toEqual(['src/a/texts.ts: idle: is used nowhere'])
  sources.set('src/b/B.tsx', "import { texts } from '../a/texts.ts'\ntexts[key]")
  expect(unusedTexts(definitions, sources)).toEqual([])
})

/** What the browser's scripts have in the place of the calculator's texts. */
async function marksOfCalculator(): Promise<string> {
  const path = 'src/islands/calculator/texts.ts'
  const result = await textsPlugin([], { development: false }).transform(
    await readFile(path, 'utf8'),
    join(process.cwd(), path),
  )
  return result?.code ?? ''
}

test("each language's pages load its own words, and share the scripts without words", async () => {
  const site = await mkdtemp(join(tmpdir(), 'site-'))
  const scripts = join(site, '_astro')
  await mkdir(scripts)
  await writeFile(join(scripts, 'Calculator.abc.js'), await marksOfCalculator())
  await writeFile(join(scripts, 'landing.def.js'), 'import "./Calculator.abc.js";import "./react.ghi.js"')
  await writeFile(join(scripts, 'react.ghi.js'), 'export {}')
  const page = '<script src="/_astro/landing.def.js"></script><script src="/_astro/react.ghi.js"></script>'
  const localise = await localiseScripts(site, [
    { ...english, reviewed: true, published: true },
    ...languages,
  ])

  expect(localise('index.html', page)).toBe(page)
  const spanish = localise('es/faq.html', page)
  const [, landing = ''] = /\/_astro\/(landing\.def\.es-[\w-]{6}\.js)/.exec(spanish) ?? []
  expect(spanish).toContain('/_astro/react.ghi.js')
  const [, calculator = ''] =
    /"\.\/(Calculator\.abc\.es-[\w-]{6}\.js)"/.exec(await readFile(join(scripts, landing), 'utf8')) ?? []
  const code = await readFile(join(scripts, calculator), 'utf8')
  expect(code).toContain('"Calculadora de tarifas"')
  expect(code).not.toContain('Rate calculator')
  const shown = await readFile(join(scripts, 'Calculator.abc.js'), 'utf8')
  expect(shown).toContain('"Rate calculator"')
  expect(shown).not.toMatch(/__message|Calculadora/)
  const names = await readdir(scripts)
  expect(names.filter(name => name.startsWith('react'))).toEqual(['react.ghi.js'])
  expect(names.filter(name => name.startsWith('landing'))).toHaveLength(1 + languages.length)
})

test('a script imports only the texts that it reads', async () => {
  const definitions = [{ file: '', name: 'texts', scope: 'a', english: { title: 'Title', idle: 'Idle' } }]
  const code = "import { texts as t } from './texts.ts'\nuse(t.title, t.title, t[code], t.other, x.title)"
  const bound = await bindTexts(code, parseSync('a.js', code).program, async () => definitions)
  expect(bound).toBe(
    "import { texts as t } from './texts.ts'\nuse(t$title, t$title, t[code], t.other, x.title)" +
      "\nimport { texts$title as t$title } from './texts.ts'",
  )
})

test('the made-up language has every message, longer, accented, and with the same placeholders', () => {
  const made = pseudoLanguage(english)
  expect(faultsOf(made, english)).toEqual([])
  expect(made.scopes['calculator']?.['title']).toBe('[Ŕàté çàlçülàtöŕ ~~~~ ~~~~]')
  expect(made.scopes['calculator']?.['call']).toBe('[Çàll {callee} ~~~~]')
})
