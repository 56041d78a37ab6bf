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

/** Files whose `words` are words of a language, one by one. */
const aboutLanguage = [
  'scripts/build/trim-css.mjs',
  'scripts/common-passwords.mjs',
  'server/identity/weak-password.ts',
  'src/components/blog/reading.ts',
  'src/components/lost/guess-place.ts',
  'src/components/lost/places.ts',
  'src/components/og/letters.ts',
  'src/components/question-search.ts',
  'src/islands/support/answers.ts',
  'src/lib/account/contacts.ts',
  'tests/site/blog.test.ts',
  'tests/house/doc-paths.test.ts',
  'tests/server/identity/common-passwords.test.ts',
  'tests/site/legal-pages.test.ts',
  'tests/server/observability/files.test.ts',
  'tests/support/languages.ts',
  'tests/support/stripe-api-parameters.ts',
]

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
    if (kept.has(name) || (aboutLanguage.includes(path) && /words/i.test(name))) return false
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
  const unused = aboutLanguage.filter(
    path => !declaredIn(path, readFileSync(join(root, path), 'utf8')).some(name => /words/i.test(name)),
  )
  expect(unused).toEqual([])
})

/** How often `amount` stands without a unit: in USD on the wire, in cents at Stripe, or stored in the database's JSON. */
const bareAmounts = {
  'server/accounts/profile/profile.ts': 1,
  'server/calls/history/call-receipt.ts': 3,
  'server/ledger/billing.ts': 1,
  'server/ledger/transfers.ts': 1,
  'server/limits/reserve.ts': 3,
  'server/payment-provider/local/checkouts.ts': 1,
  'server/payment-provider/stripe/adapter.ts': 1,
  'server/payment-provider/stripe/kept-cards.ts': 1,
  'server/payment-provider/stripe/objects.ts': 2,
  'server/payments/gifts/gift-routes.ts': 2,
  'server/payments/gifts/sent-gifts.ts': 1,
  'server/payments/receipt.ts': 2,
  'server/payments/refunds/operator-refund.ts': 1,
  'server/payments/refunds/refund-request.ts': 4,
  'server/payments/rows.ts': 1,
}

const bareAmountsIn = (path: string, text: string): number =>
  declaredIn(path, text).filter(name => name === 'amount').length

test('money on the server has its unit in its name, except on the wire', () => {
  const found = filesOf('server/*.ts')
    .filter(path => !path.endsWith('.test.ts'))
    .map(path => [path, bareAmountsIn(path, readFileSync(join(root, path), 'utf8'))] as const)
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(found)).toEqual(bareAmounts)
})

test('a bare amount is found as a field, a parameter, a variable and a part of another value', () => {
  const text =
    'interface Row { amount: number } const f = (amount: number) => ({ amount }); const { amount } = g(), amountUsd = 1'
  expect(bareAmountsIn('example.ts', text)).toBe(4)
})
