import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { creditsForUsd } from '#lib/money/credits.ts'
import { chargedMinutes } from '#lib/money/pricing.ts'
import { countries } from '#lib/numbers/countries.ts'

/** What an editor wrote must stay what the rules do. */
function answer(name: string): string {
  return readFileSync(join(import.meta.dirname, `../content/faq/${name}.md`), 'utf8')
}

test('the bonus is the one that is paid', () => {
  expect(answer('bonus')).toContain(
    `$50 gets you ${creditsForUsd(50)} credits and $100 gets you ${creditsForUsd(100)}`,
  )
})

test('the lengths of calls are the ones that are charged', () => {
  expect([20_000, 61_000, 60_000].map(chargedMinutes)).toEqual([1, 2, 1])
  expect(answer('rounding')).toContain(
    'A call of 20 seconds is one minute, 61 seconds is two, and exactly 60 seconds is one.',
  )
})

test('there are as many countries as the answer says', () => {
  expect(new Set(countries.map(({ isoCode }) => isoCode)).size).toBeGreaterThan(150)
  expect(answer('countries')).toContain('More than 150')
})
