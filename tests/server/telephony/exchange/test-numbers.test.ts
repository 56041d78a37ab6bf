import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lineOf, testNumbers } from '#server/telephony/exchange/test-numbers.ts'

test('the table in the documentation is the table in the code', () => {
  const page = readFileSync('docs/exchange.md', 'utf8')
  const rows = [...page.matchAll(/^\| (\+1 212 555 01\d\d) \| (.*?) +\|$/gm)]
  expect(rows.map(([, number, does]) => ({ number: number?.replaceAll(' ', ''), does }))).toEqual(
    testNumbers.map(({ number, does }) => ({ number, does })),
  )
})

test('each of them has its own line', () => {
  for (const { number, line } of testNumbers) expect(lineOf(number)).toBe(line)
})
