// @module-tag one-engine
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { company } from '#lib/company.ts'
import { createWeb } from '#support/web.ts'

const root = join(import.meta.dirname, '..', '..', '..')

test('tells people who find a weakness where to write, in a file that never goes stale', async () => {
  const web = await createWeb({ publicUrl: 'https://farline.example', production: true })
  const read = async () => {
    const { statusCode, headers, body } = await web.app.inject({ url: '/.well-known/security.txt' })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    return new Map(
      body
        .trim()
        .split('\n')
        .map(line => line.split(/: (.*)/) as [string, string]),
    )
  }
  const first = await read()
  expect(first.get('Contact')).toBe(`mailto:${company.supportEmail}`)
  expect(first.get('Canonical')).toBe('https://farline.example/.well-known/security.txt')
  const daysLeft = (field: string | undefined) =>
    (Date.parse(field ?? '') - web.clock.now().getTime()) / 86_400_000
  expect(daysLeft(first.get('Expires'))).toBeGreaterThan(30)
  expect(daysLeft(first.get('Expires'))).toBeLessThan(365)
  web.clock.advance(400 * 86_400_000)
  expect(daysLeft((await read()).get('Expires'))).toBeGreaterThan(30)
  await web.close()
})

test('SECURITY.md names the address of the company, and no other', () => {
  const addresses = readFileSync(join(root, 'SECURITY.md'), 'utf8').match(/[\w.+-]+@[\w.-]+\w/g)
  expect(new Set(addresses)).toEqual(new Set([company.supportEmail]))
})
