import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** What is no source, in a project's directory: packages, builds, and what builds, tests and servers keep. */
const leftOut = new Set(['node_modules', 'dist', '.astro', 'var', 'test-results', 'playwright-report'])

/**
 * A copy of a project in a temporary directory, to be built as on a fresh clone: it shares our packages, but
 * nothing that an earlier build left.
 * @param project its directory; ours unless told
 * @returns the copy's directory, which the caller removes
 */
export function copyProject(project = root): string {
  const copy = mkdtempSync(join(tmpdir(), 'farline-copy-'))
  cpSync(project, copy, { recursive: true, filter: source => !leftOut.has(relative(project, source)) })
  const packages = join(copy, 'node_modules')
  mkdirSync(packages)
  // A real folder with links in it: what builds keep beside the packages (.astro, .vite) stays in the copy.
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isKept = name.startsWith('.') && name !== '.bin'
    if (!isKept) symlinkSync(join(root, 'node_modules', name), join(packages, name))
  }
  return copy
}
