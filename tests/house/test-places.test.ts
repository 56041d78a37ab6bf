import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { belongingTo, coveredByStories } from '#scripts/checks/belonging.mjs'
import { knownUnsteady } from '#scripts/checks/stories.mjs'

const root = join(import.meta.dirname, '..', '..')
const isDirectory = (path: string) => statSync(join(root, path)).isDirectory()
const foldersIn = (path: string) =>
  readdirSync(join(root, path)).filter(name => isDirectory(join(path, name)))

test('tests of the server stand in the folder that mirrors what they test', () => {
  const loose = readdirSync(join(root, 'tests/server')).filter(name => !isDirectory(`tests/server/${name}`))
  expect(loose).toEqual([])
  const folders = new Set(globSync('tests/server/**/*.ts', { cwd: root }).map(dirname))
  expect([...folders].filter(folder => !existsSync(join(root, folder.replace(/^tests\//, ''))))).toEqual([])
})

test('every story names what it covers, and that is there', () => {
  for (const [story, paths] of coveredByStories()) {
    expect(paths, story).not.toEqual([])
    for (const path of paths) expect(existsSync(join(root, path)), `${story}: ${path}`).toBe(true)
  }
})

test('every feature of the browser has a story', () => {
  const covered = [...coveredByStories().values()].flat()
  const without = foldersIn('src/islands').filter(
    name => !covered.some(path => `${path}/`.startsWith(`src/islands/${name}/`)),
  )
  // Toasts stand over every page, and stories of other features read them.
  expect(without).toEqual(['toasts'])
})

test('the tests of a folder are those within it, those that mirror it, and the stories about it', () => {
  const { tests, stories, types } = belongingTo(['server/payments/gifts'])
  expect(tests).toContain('tests/server/payments/gift-buying.test.ts')
  expect(tests).toContain('tests/server/payments/gift-refunds.test.ts')
  expect(stories).toEqual(['tests/e2e/send-a-line.test.ts'])
  expect(types).toEqual(['server', 'tests'])
})

test('a file has the tests of its folder, and the stories about the smallest part that holds it', () => {
  const captions = belongingTo(['src/islands/dialler/captions/CaptionLines.tsx'])
  expect(captions.stories).toEqual(['tests/e2e/captions.test.ts'])
  expect(captions.tests.map(dirname)).toContain('src/islands/dialler/captions')
  expect(new Set(captions.tests.map(dirname)).size).toBe(1)
  expect(belongingTo(['src/islands/dialler/TopBar.tsx']).stories).toEqual(['tests/e2e/dialler.test.ts'])
})

test('a test that is named is all that runs', () => {
  const one = 'tests/server/payments/cards.test.ts'
  expect(belongingTo([one])).toMatchObject({ tests: [one], stories: [] })
  expect(belongingTo(['tests/e2e/faq.test.ts'])).toMatchObject({
    tests: [],
    stories: ['tests/e2e/faq.test.ts'],
  })
})

test('at most five stories are known to need a second try, each with a date and a suspicion', () => {
  const known = knownUnsteady()
  expect(known.length).toBeLessThanOrEqual(5)
  for (const { story, since, suspicion } of known) {
    const [file = '', title = ''] = story.split(' > ')
    expect(readFileSync(join(root, 'tests/e2e', file), 'utf8')).toContain(title)
    expect(since).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(suspicion.length).toBeGreaterThan(20)
  }
})
