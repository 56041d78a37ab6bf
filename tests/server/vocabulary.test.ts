import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** What `docs/glossary.md` replaces, as a part of a name: `mostCalls` has it, `almost` has not. */
const replaced = new Set([
  'tell',
  'tells',
  'told',
  'wish',
  'wishes',
  'dear',
  'door',
  'doubt',
  'doubtful',
  'news',
  'least',
  'most',
  'overtaken',
  'standing',
  'whom',
])

/** On the wire or of a library, where a change would break a reader; and plain superlatives. */
const kept = new Set(['leastPayment', 'monthlyMost', 'mostExpensive', 'news', 'told'])

const partsOf = (name: string): readonly string[] =>
  name.split(/(?=[A-Z])|_|\d+/).map(part => part.toLowerCase())

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
  declaredIn(path, text).filter(name => !kept.has(name) && partsOf(name).some(part => replaced.has(part)))

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
