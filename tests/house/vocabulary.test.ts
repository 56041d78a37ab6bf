import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** The last column of the glossary: words and phrases that it replaces. */
const glossary = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8')
const replacedTerms = new Set(
  [...glossary.matchAll(/^\|.*\| ([^|]+) \|$/gm)]
    .flatMap(([, not = '']) => not.split(', '))
    .filter(word => word !== '-' && word !== 'Not'),
)

/** Replaced in one sense, and right in another, which a name does not show. */
const otherSense: Readonly<Record<string, string>> = {
  'call group': 'outcomes that a filter shows together',
  caller: 'a part of caller ID; the side of the exchange that calls',
  claim: 'what a user asks for a bad call; a field of a token',
  cost: 'what a call costs',
  credit: 'one side of a transfer; money of a user',
  entry: 'a part of a list or a file',
  from: 'where something comes from',
  hear: 'what people do with sound',
  letter: 'a character of the alphabet',
  line: 'a line of text; a telephone line',
  operations: 'of the API',
  paper: 'what a drawing is on',
  party: 'one side of a call or a transfer',
  seal: 'to encrypt and sign',
  take: 'a plain verb',
  to: 'where something goes',
  typed: 'what a user typed',
  word: 'a word of a language',
}

const partsOf = (name: string): readonly string[] =>
  name.split(/(?=[A-Z])|_|\d+/).map(part => part.toLowerCase())

const inflections = new Map([
  ['doubt', ['doubtful']],
  ['tell', ['tells', 'told']],
  ['wish', ['wishes']],
])
/** As parts of a name: `mostCalls` has `most`, `almost` has not. */
const replaced = [...replacedTerms]
  .filter(word => !(word in otherSense))
  .flatMap(word => [word, `${word}s`, ...(inflections.get(word) ?? [])])
  .map(word => ` ${word.replace(/['’]/g, '')} `)

/** On the wire or of a library, where a change would break a reader; and plain superlatives. */
const kept = new Set(['leastPayment', 'monthlyMost', 'mostExpensive', 'news', 'told'])

/** In a file with such a line, `words` are words of a language, one by one. */
const isAboutLanguage = (text: string) => /^\/\/ @vocabulary words: /m.test(text)

/** The names that a file declares: variables, functions, types, properties, parameters. */
function declaredIn(path: string, text: string): readonly string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node }
    if (name !== undefined && ts.isIdentifier(name) && !ts.isPropertyAccessExpression(node))
      names.push(name.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

const replacedNames = (path: string, text: string): readonly string[] =>
  declaredIn(path, text).filter(name => {
    if (kept.has(name) || (isAboutLanguage(text) && /words/i.test(name))) return false
    const parts = ` ${partsOf(name).join(' ')} `
    return replaced.some(word => parts.includes(word))
  })

const filesOf = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')

test('no name is made of a word that the glossary replaces', () => {
  const found = filesOf('*.ts', '*.tsx', '*.mjs').flatMap(path =>
    replacedNames(path, readFileSync(join(root, path), 'utf8')).map(name => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

test('such a name is found wherever it is declared, and only as a whole part', () => {
  const text =
    'const mostCalls = 1, almost = 2; interface Tariff { readonly tooDear: boolean } function tell(doubt: X) {}'
  expect(replacedNames('example.ts', text)).toEqual(['mostCalls', 'tooDear', 'tell', 'doubt'])
  const late = 'type CardRefusal = 1; const { words, takeBackMoney, told_by, doubtful, crosswords } = f()'
  expect(replacedNames('example.ts', late)).toEqual([
    ...['CardRefusal', 'words', 'takeBackMoney', 'told_by', 'doubtful'],
  ])
})

test('the list is the glossary’s, and no exception outlives its word', () => {
  expect(replacedTerms.size).toBeGreaterThan(40)
  expect(replacedTerms).toContain('refusal')
  expect(Object.keys(otherSense).filter(word => !replacedTerms.has(word))).toEqual([])
  const marked = filesOf('*.ts', '*.tsx', '*.mjs')
    .map(path => [path, readFileSync(join(root, path), 'utf8')] as const)
    .filter(([, text]) => isAboutLanguage(text))
  expect(marked.length).toBeGreaterThan(10)
  const unused = marked.filter(([path, text]) => !declaredIn(path, text).some(name => /words/i.test(name)))
  expect(unused.map(([path]) => path)).toEqual([])
})

/** Converted there and then, `amount` is in USD on the wire, or in cents at Stripe. */
const converted = /^(?:microUsdToUsd|toCents)\(/
/** In a file with such a line, it says what the amounts without a unit are in. */
const hasBareAmounts = (text: string) => /^\/\/ @vocabulary amount: /m.test(text)

/** How often a file declares `amount` without a unit, and does not convert it there and then. */
function bareAmountsIn(path: string, text: string): number {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS)
  let count = 0
  const visit = (node: ts.Node): void => {
    const { name, initializer } = node as { name?: ts.Node; initializer?: ts.Node }
    const isAmount =
      name !== undefined &&
      ts.isIdentifier(name) &&
      name.text === 'amount' &&
      !ts.isPropertyAccessExpression(node)
    const isConverted = initializer !== undefined && converted.test(text.slice(initializer.pos).trimStart())
    if (isAmount && !isConverted) count += 1
    ts.forEachChild(node, visit)
  }
  visit(file)
  return count
}

test('money on the server has its unit in its name, except where it is converted, or a file says why not', () => {
  const files = filesOf('server/*.ts')
    .filter(path => !path.endsWith('.test.ts'))
    .map(path => [path, readFileSync(join(root, path), 'utf8')] as const)
  const withBare = files.filter(([path, text]) => bareAmountsIn(path, text) > 0).map(([path]) => path)
  const marked = files.filter(([, text]) => hasBareAmounts(text)).map(([path]) => path)
  expect(withBare).toEqual(marked)
  expect(marked.length).toBeLessThan(8)
})

test('a bare amount is found as a field, a parameter, a variable and a part of another value', () => {
  const text =
    'interface Row { amount: number } const f = (amount: number) => ({ amount }); const { amount } = g(), amountUsd = 1'
  expect(bareAmountsIn('example.ts', text)).toBe(4)
  expect(bareAmountsIn('example.ts', 'return { amount: microUsdToUsd(row.moved), fee: 1 }')).toBe(0)
  expect(bareAmountsIn('example.ts', 'return { amount: row.moved }')).toBe(1)
})
