import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './programs.mjs'
import { report } from './report.mjs'

/**
 * Runs projects of `vitest.config.ts`. There are no retries: a test that passes only at the second try is a fault.
 * @param {string} name
 * @param {readonly string[]} projects
 * @param {readonly string[]} [options] of Vitest, or files
 */
export async function vitest(name, projects, options = []) {
  console.log(`\n> ${name}`)
  const scratch = mkdtempSync(join(tmpdir(), 'farline-checks-'))
  const file = join(scratch, 'summary.json')
  const { status } = await run(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.map(project => `--project=${project}`),
      ...options,
      '--reporter=default',
      '--reporter=./scripts/checks/vitest-summary.mjs',
    ],
    { env: { VITEST_SUMMARY: file } },
  )
  reportRun(name, status, () => JSON.parse(readFileSync(file, 'utf8')))
  rmSync(scratch, { recursive: true, force: true })
}

/**
 * Reports what a runner wrote. One that failed without a failed test counts as one failure.
 * @param {() => import('./report.mjs').Found} read
 */
export function reportRun(name, status, read) {
  try {
    const found = read()
    report(found)
    if (status !== 0 && found.failed.length === 0)
      report({ failed: [{ name, error: `exit code ${status}` }] })
  } catch (error) {
    report({ failed: [{ name, error: String(error) }] })
  }
}
