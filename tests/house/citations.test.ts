import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Everything that cites, but this file, which names what it looks for. */
const cited = ['src', 'server', 'tests', 'scripts', 'deploy', 'docs', '*.md']
const files = execFileSync('git', ['ls-files', '-z', ...cited, ':!tests/house/citations.test.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(file => file !== '' && existsSync(join(root, file)))

/** Text as one line, so that what a comment breaks in two is found too. Empty for what is no text. */
function flat(file: string): string {
  const text = read(file)
  return text.includes('\0') ? '' : text.replace(/\s*\n\s*(?:\*(?!\*)|\/\/|--|#)?\s*/g, ' ')
}

/** The numbers that a page of `docs/product` gives, in its order. */
const given = (page: string, kind: string) =>
  [...read(`docs/product/${page}.md`).matchAll(new RegExp(`\\*\\*(${kind}-[\\d.]+)\\*\\*`, 'g'))].map(
    ([, id = '']) => id,
  )

const specification = given('specification', 'SPEC')
const readings = given('decisions', 'PD')
const faults = given('faults', 'REL')
const records = readdirSync(join(root, 'docs', 'decisions'))
  .filter(name => /^\d{4}-.+\.md$/.test(name))
  .map(name => `ADR-${Number(name.slice(0, 4))}`)
const known = new Set([...specification, ...readings, ...faults, ...records])

function unknownIn(text: string): string[] {
  return [...text.matchAll(/\b(?:SPEC|PD|REL|ADR)-(?:[\w.]*\w)/g)]
    .map(([citation]) => citation)
    .filter(citation => !known.has(citation))
}

/** Citations as they were before each statement had a number. */
const former =
  /\b(?:specification,? \(?sections? \d|reliability(?:\.md)? rows?|product[- ]decisions?\b|(?:decisions?|record) \[?\d|decision records? \[?\d)/gi

function formerIn(text: string): string[] {
  return [...text.matchAll(former)].map(([citation]) => citation)
}

test('what is looked for is found, in one line and across two', () => {
  expect(unknownIn('(SPEC-4.2, PD-9999), SPEC-4, REL-1 to REL-0, see ADR-1.')).toEqual([
    'PD-9999',
    'SPEC-4',
    'REL-0',
  ])
  for (const citation of [
    'Specification section 4',
    'reliability row 3',
    'decision 20',
    'decision record 48',
  ])
    expect(formerIn(citation), citation).toHaveLength(1)
  expect(formerIn('a decision of ours, a record of 20 calls')).toEqual([])
})

test('each item of docs/product has one number, and none is left out', () => {
  const sections = Map.groupBy(specification, id => id.split('.')[0])
  expect([...sections.keys()]).toEqual(Array.from({ length: 9 }, (_, nth) => `SPEC-${nth + 1}`))
  for (const [section, ids] of sections) expect(ids).toEqual(ids.map((_, nth) => `${section}.${nth + 1}`))
  expect(readings).toEqual(readings.map((_, nth) => `PD-${nth + 1}`))
  expect(faults).toEqual(faults.map((_, nth) => `REL-${nth + 1}`))
  expect(new Set(records).size).toBe(records.length)
})

test('every citation leads to an item, and none is of the former kind', () => {
  expect(files.length).toBeGreaterThan(500)
  const wrong = files.flatMap(file => {
    const text = flat(file)
    return [...unknownIn(text), ...formerIn(text)].map(citation => `${file}: ${citation}`)
  })
  expect(wrong).toEqual([])
})

test('a link that is named after a record leads to it', () => {
  const links = files
    .filter(file => file.endsWith('.md'))
    .flatMap(file =>
      [...read(file).matchAll(/\[ADR-(\d+)\]\(([^)#]+)/g)].map(([, number = '', path = '']) => ({
        from: `${file}: ADR-${number}`,
        to: path,
        isThere: path.includes(`${number.padStart(4, '0')}-`) && existsSync(join(root, dirname(file), path)),
      })),
    )
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ isThere }) => !isThere)).toEqual([])
})
