import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const engine = join(import.meta.dirname, 'engine.ts')

/**
 * Test files of a folder that use the database of their Vitest project: those that import `engine.ts`, directly or
 * indirectly, mostly through `createWorld`. New files are found automatically. Tests of PostgreSQL only are named
 * `*.postgres.test.ts`.
 */
export function findDatabaseTests(folder: string): string[] {
  const known = new Map<string, boolean>()
  return globSync(`${folder}/**/*.test.ts`, { cwd: root }).filter(
    file => file.endsWith('.postgres.test.ts') || leadsToEngine(join(root, file), known),
  )
}

function leadsToEngine(file: string, known: Map<string, boolean>): boolean {
  if (file === engine) return true
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, false)
  const found = importedTestFiles(file).some(imported => leadsToEngine(imported, known))
  known.set(file, found)
  return found
}

function importedTestFiles(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/\bfrom '((?:#support|\.{1,2})\/[^']+\.ts)'/g)
  return [...specifiers]
    .map(([, specifier = '']) =>
      specifier.startsWith('#support/')
        ? join(import.meta.dirname, specifier.slice('#support/'.length))
        : join(dirname(file), specifier),
    )
    .filter(path => path.startsWith(join(root, 'tests')) && existsSync(path))
}
