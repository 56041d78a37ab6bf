// Which checks belong to a folder or a file: `npm test -- <folder or file>`. Paths are relative to the project's root.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../node24.mjs'

const isDirectory = path => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true
const isTest = path => /\.test\.tsx?$/.test(path)
const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`)
const testsIn = folder => globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: root }).sort()

/** Folders whose tests stand elsewhere. The first that holds the path counts. */
const elsewhere = [
  ['src/lib/openapi', 'tests/site/openapi'],
  ['src/pages', 'tests/site'],
  ['src/layouts', 'tests/site'],
  ['src/components', 'tests/site'],
  ['src/content', 'tests/site'],
  ['src/styles', 'tests/site'],
  ['src/languages', 'tests/site'],
  ['public', 'tests/site'],
  ['scripts/build', 'tests/site'],
  ['scripts', 'tests/house'],
  ['docs', 'tests/house'],
  ['deploy', 'tests/deploy'],
]

/** The folder of `tests/server` that mirrors a path of `server`, or the nearest one above it. */
function mirrorOf(path) {
  for (let folder = path; folder !== 'server' && folder !== '.'; folder = dirname(folder))
    if (isDirectory(`tests/${folder}`)) return `tests/${folder}`
  return undefined
}

/** A file's own test and those of its folder; all below a folder. */
function testsBeside(path) {
  if (isTest(path)) return [path]
  if (isDirectory(path)) return testsIn(path)
  return globSync(`${dirname(path)}/*.test.{ts,tsx}`, { cwd: root }).sort()
}

function testsElsewhere(path) {
  if (isTest(path)) return []
  const folder = isIn(path, 'server') ? mirrorOf(path) : elsewhere.find(([part]) => isIn(path, part))?.[1]
  return folder === undefined ? [] : testsIn(folder)
}

/**
 * The folders and files that each story is about, from its line `// @covers <path> <path>`.
 * @returns {ReadonlyMap<string, readonly string[]>} by the story's file
 */
export function coveredByStories() {
  return new Map(
    globSync('tests/e2e/*.test.ts', { cwd: root })
      .sort()
      .map(file => {
        const [, paths = ''] = /^\/\/ @covers (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? []
        return [file, paths.split(' ').filter(path => path !== '')]
      }),
  )
}

/** The stories about the smallest covered part that holds the path: those of `dialler/captions`, not of the whole `dialler`. */
function storiesOf(path) {
  if (isIn(path, 'tests/e2e')) return isTest(path) ? [path] : []
  const covered = coveredByStories()
  const holding = [...covered.values()].flat().filter(part => isIn(path, part))
  const [closest] = holding.sort((one, other) => other.length - one.length)
  return [...covered]
    .filter(([, parts]) => closest !== undefined && parts.includes(closest))
    .map(([file]) => file)
}

/** The TypeScript projects whose types a path can break; `astro` is the one of pages and islands. */
function typesOf(path) {
  if (isIn(path, 'server')) return ['server', 'tests']
  if (isIn(path, 'src/lib')) return ['astro', 'src/lib', 'server']
  if (isIn(path, 'src')) return ['astro']
  return isIn(path, 'tests') ? ['tests'] : []
}

/**
 * @param {readonly string[]} paths that exist
 * @returns {{ lint: string[], types: string[], tests: string[], stories: string[] }} each without repetition
 */
export function belongingTo(paths) {
  const each = pick => [...new Set(paths.flatMap(pick))]
  const tests = each(path => [...testsBeside(path), ...testsElsewhere(path)]).filter(
    file => !isIn(file, 'tests/e2e') && !isIn(file, 'tests/full'),
  )
  return { lint: [...new Set([...paths, ...tests])], types: each(typesOf), tests, stories: each(storiesOf) }
}

export function isThere(path) {
  return existsSync(join(root, path))
}
