// @vocabulary words: they are words of a language.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fillFacts } from '#components/legal/facts.ts'
import { openPointMark, sectionsOf } from '#components/legal/sections.ts'
import { company } from '#lib/company.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { formatBalance } from '#lib/money/money.ts'
import { refundDays } from '#lib/money/refunds.ts'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { emergencyMessage, emergencyNumbers } from '#lib/numbers/emergency.ts'
import { rejectionMessages } from '#server/calls/placing/rejections.ts'
import { defaultCallPolicy, defaultPaymentPolicy } from '#server/config/policy.ts'
import {
  type Bound,
  type BudgetKind,
  type BudgetScope,
  defaultBudgetSettings,
  defaultBudgets,
} from '#server/limits/budget-policy.ts'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'

const root = join(import.meta.dirname, '..', '..')
const names = ['terms', 'privacy', 'refunds', 'cookies', 'fair-use', 'complaints', 'emergency-calls'] as const
type Name = (typeof names)[number]

let pages: ReadonlyMap<string, string>

beforeAll(() => {
  const build = spawnSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { cwd: root })
  if (build.status !== 0) throw new Error(`the site does not build: ${build.stderr}`)
  pages = new Map(names.map(name => [name, readFileSync(join(root, 'dist', `${name}.html`), 'utf8')]))
}, 60_000)

function page(name: Name): string {
  return pages.get(name) ?? ''
}

/** What a reader sees of the main part: without tags, straight quotes, single spaces. */
function textOf(name: Name): string {
  const main = /<main\b.*<\/main>/s.exec(page(name))?.[0] ?? ''
  return main
    .replace(/<[^>]*>/g, '')
    .replace(/[‘’]/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
}

function sectionHeadings(name: Name): readonly { id: string; number: number; title: string }[] {
  const pattern = /<section id="([^"]+)"><h2><span class="num">(\d+)<\/span>\s*(.*?)<\/h2>/g
  return [...page(name).matchAll(pattern)].map(([, id = '', number, title = '']) => ({
    id,
    number: Number(number),
    title: title.trim(),
  }))
}

describe.each(names)('%s', name => {
  test('numbers its sections from one, and its index leads to each of them', () => {
    const headings = sectionHeadings(name)
    expect(headings.length).toBeGreaterThan(5)
    expect(headings.map(({ number }) => number)).toEqual(headings.map((_, index) => index + 1))
    const index = /<nav aria-label="On this page">(.*?)<\/nav>/s.exec(page(name))?.[1] ?? ''
    const links = [...index.matchAll(/href="#([^"]+)"[^>]*><span class="num">(\d+)<\/span>\s*([^<]*)/g)]
    expect(
      links.map(([, id, number, title]) => ({ id, number: Number(number), title: title?.trim() })),
    ).toEqual(headings)
  })

  test('says when it last changed and how long it takes to read', () => {
    const [, date = ''] = /changedAt: (\S+)/.exec(source(name)) ?? []
    expect(page(name)).toContain(`<time datetime="${date}">`)
    expect(textOf(name)).toMatch(
      /Last changed \d{1,2} [A-Z][a-z]+ \d{4}\. [A-Z][a-z]+ short sections, about [a-z]+ minutes? to read\./,
    )
  })

  test('leads to every other text at its end, and to the privacy policy and the terms in its footer', () => {
    const rules = /<nav class="rules1".*?<\/nav>/s.exec(page(name))?.[0] ?? ''
    const others = names.filter(other => other !== name)
    expect([...rules.matchAll(/href="\/([^"]+)"/g)].map(match => match[1])).toEqual(others)
    const footer = /<div class="legal">(.*?)<\/div>/s.exec(page(name))?.[1] ?? ''
    const links = [...footer.matchAll(/href="([^"]+)">/g)].map(match => match[1])
    expect(links).toEqual(['/privacy', '/terms'])
  })

  test('keeps the points that are open for counsel in comments of its source, which no reader gets', () => {
    const comments = source(name).match(/^<!-- /gm)?.length ?? 0
    expect(comments).toBeGreaterThan(0)
    expect(source(name).split(`<!-- ${openPointMark}`)).toHaveLength(comments + 1)
    expect(page(name)).not.toMatch(/counsel|lawyer|<!-- |<blockquote/i)
  })

  test('names the company from one place', () => {
    expect(source(name)).not.toContain(company.name)
    expect(source(name)).not.toContain(company.supportEmail)
    expect(page(name)).not.toContain('{{')
  })

  test('says where it stands to search engines', () => {
    expect(page(name)).toContain('"@type":"BreadcrumbList"')
  })
})

test('notes what only an owner or counsel knows, and does not invent it', () => {
  for (const [name, open] of [
    ['terms', 'company number, registered address and VAT number'],
    ['cookies', 'whether the code of a referral link may be kept without asking first'],
    ['privacy', 'the periods for call records'],
    ['complaints', 'which scheme approved by Ofcom we have joined'],
    ['emergency-calls', "whether Ofcom's General Condition A3 obliges us"],
  ] as const) {
    expect(source(name)).toMatch(new RegExp(`<!-- ${openPointMark}[^:]*${open}`))
  }
})

const usesIn = (bound: Bound) => ('maxUses' in bound ? bound.maxUses : undefined)
const usesOf = (kind: BudgetKind, scope: BudgetScope) =>
  defaultBudgets[kind].filter(({ per }) => per === scope).map(usesIn)[0]

test('the texts say what the product does, with its own labels', () => {
  const terms = textOf('terms')
  expect(terms).toContain(emergencyMessage())
  expect(terms).toContain('7-day money-back guarantee')
  expect(terms).toContain('Credits never expire.')
  expect(terms).toContain('worth at most $0.50 and 5 minutes')
  expect(terms).toContain('part minutes are rounded up')
  expect(terms).toContain('There is no connection fee')
  const fairUse = textOf('fair-use')
  const { never_paid: first, newly_paid: fresh, established } = defaultCallPolicy.tiers
  for (const limits of [first, fresh, established]) {
    expect(fairUse).toContain(
      `up to ${limits.longestCallMinutes} minutes long; ${limits.answeredPerHour} answered calls an hour ` +
        `and ${limits.answeredPerDay} a day; numbers up to ${formatBalance(limits.highestRateMicroUsd)} a minute`,
    )
  }
  expect(fairUse).toContain(`more than ${defaultBudgetSettings.freeCallsPerMonth} free calls a month`)
  expect(fairUse).toContain(`You can open ${defaultPaymentPolicy.checkoutsPerHour} checkouts an hour`)
  expect(fairUse).toContain(
    `at most ${defaultBudgetSettings.verificationCallsPerDay} times a day to verify it`,
  )
  expect(fairUse).toContain(
    `no more than ${formatBalance(defaultCallPolicy.unpaidVerificationMaxRateMicroUsd)}. You can check a line ${usesOf('line_check', 'account')} times a day`,
  )
  expect(fairUse).toContain('no more than one to a mailbox')
  expect(usesOf('free_call', 'mailbox')).toBe(1)
  expect(fairUse).toContain(
    `all new accounts together can ring it ${defaultBudgets.unanswered_ring
      .filter(({ per }) => per === 'callee')
      .map(usesIn)
      .join(' times an hour and ')} times a day`,
  )
  expect(fairUse).toContain(
    `ring a number up to ${usesOf('unanswered_ring_paid', 'account_to_callee')} times a day while nobody answers, ` +
      `and all our customers together can ring it ${usesOf('unanswered_ring_paid', 'callee')} times`,
  )
  const { newCustomer } = defaultCallPolicy
  for (const text of [terms, fairUse])
    expect(text).toContain(
      `In the ${newCustomer.hours} hours after your first payment, you can spend up to $${newCustomer.spendMicroUsd / 1_000_000} on calls.`,
    )
  expect(fairUse).toContain(
    `that ${defaultPaymentPolicy.accountsPerCard} other accounts have paid with in 30 days`,
  )
  expect(terms).toContain(`once for each person: ${refundDays} days later`)
  expect(textOf('refunds')).toContain('They never go to a card')
  expect(fairUse).toContain(cautionTexts.risky)
  expect(fairUse).toContain(rejectionMessages().call_blocked)
})

test('the terms say of auto top-up what its dialog says, at length, where that leads', () => {
  const section = /<section id="auto-top-up">.*?<\/section>/s.exec(page('terms'))?.[0] ?? ''
  const { tiers, failuresUntilPause } = defaultPaymentPolicy.autoTopUp
  const words = ['none', 'once', 'two', 'three']
  for (const said of [
    `when calls take your balance to ${formatBalance(lowBalanceMicroUsd)} or less`,
    'The amount is the one you last bought',
    'You get a receipt by e-mail each time',
    'you can switch it off at any time',
    'a saved card, nothing can be charged',
    `at most ${words[tiers.newly_paid.perDay]} a day in the first week`,
    `at most ${words[tiers.established.perHour]} an hour and ${words[tiers.established.perDay]} times a day`,
    `After ${words[failuresUntilPause]} such failures in a row, auto top-up pauses`,
  ])
    expect(section).toContain(said)
})

test('the emergency page lists the numbers of every country that the dialler rejects', () => {
  const rows = [...page('emergency-calls').matchAll(/<th scope="row">(.*?)<\/th>\s*<td[^>]*>(.*?)<\/td>/g)]
  const listed = new Map(
    rows.map(([, country = '', numbers = '']) => [country.replaceAll('&amp;', '&'), numbers]),
  )
  expect(listed.get('United Kingdom')).toBe('999, 112')
  expect(listed.size).toBe([...countriesByIso.keys()].filter(iso => iso in emergencyNumbers).length)
})

describe('a legal text', () => {
  test('is rejected when it names a fact that does not exist', () => {
    expect(() => fillFacts('Call {{nobody}}.')).toThrow('{{nobody}} is none of: name,')
  })

  test('is rejected when it begins without a heading', () => {
    expect(() => sectionsOf('<p>Hello.</p><h2 id="a">A</h2>')).toThrow('begins with a second-level heading')
  })

  test('loses its comments, also those of several lines', () => {
    const html = `<h2 id="a">A</h2><p>One.</p><!-- ${openPointMark}\n{{nobody}}. --><p>Two.</p>`
    expect(sectionsOf(html)).toEqual([{ id: 'a', title: 'A', html: '<p>One.</p><p>Two.</p>' }])
  })
})

function source(name: Name): string {
  return readFileSync(join(root, 'src/content/legal', `${name}.md`), 'utf8')
}
