import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const stories = 'tests/e2e'

/** Vitest's own notation: `// @module-tag slow` in a test file puts the tag on each of its tests. */
export function hasModuleTag(file: string, tag: string): boolean {
  const text = readFileSync(join(root, file), 'utf8')
  return new RegExp(`(?://|\\*)\\s*@module-tag\\s+${tag}(?![\\w/-])`).test(text)
}

/** The files of stories with the line `// @real-time`: their calls are about sound or time, so no two run at once. */
export function realTimeStories(): readonly string[] {
  return globSync('*.test.ts', { cwd: join(root, stories) }).filter(name =>
    /^\/\/ @real-time$/m.test(readFileSync(join(root, stories, name), 'utf8')),
  )
}
