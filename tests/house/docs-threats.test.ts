import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

test('every threat names the test that shows what holds it', () => {
  const page = readFileSync(join(root, 'docs', 'operating', 'threats.md'), 'utf8')
  const rows = page.split('\n').filter(line => /^\| (?!Threat )/.test(line))
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const files = [...row.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file)
    expect(files, row).not.toEqual([])
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  }
})
