import { relative } from 'node:path'
import { root } from '../node24.mjs'
import { findPostgresPrograms } from '../postgres-programs.mjs'
import { belongingTo, isThere } from './belonging.mjs'
import { check, together } from './programs.mjs'
import { report } from './report.mjs'
import { astroCheck, biome, typesOf } from './static.mjs'
import { stories } from './stories.mjs'
import { vitest } from './vitest.mjs'

/**
 * `npm test -- <folder or file> …`: lints it, checks the types that it can break, and runs the tests that belong to it.
 * @param {readonly string[]} given paths, absolute or relative to the project's root
 */
export async function checkTargets(given) {
  const paths = given.map(path => relative(root, path).replace(/\/$/, ''))
  const missing = paths.filter(path => path === '' || path.startsWith('..') || !isThere(path))
  if (missing.length > 0) {
    report({
      failed: missing.map(path => ({ name: path, error: 'no such file or folder in this project' })),
    })
    return
  }
  const belonging = belongingTo(paths)
  // They use one core, and print when they are done.
  const reading = together([
    ['format and lint', [...biome, '--no-errors-on-unmatched', ...belonging.lint]],
    ...belonging.types.map(project => [
      `types of ${project}`,
      project === 'astro' ? astroCheck : typesOf(project),
    ]),
  ])
  // On one engine. What starts whole processes is left to `npm run test:engines`, unless a test is named by itself.
  const projects = ['unit', 'server', ...(findPostgresPrograms() === undefined ? [] : ['postgres'])]
  const named = paths.some(path => belonging.tests.includes(path)) ? ['processes', 'processes-postgres'] : []
  if (belonging.tests.length > 0)
    await vitest('tests', [...projects, ...named], [...belonging.tests, '--passWithNoTests'])
  if (belonging.stories.length > 0) {
    // A draft is enough for a story, and built in half the time.
    await check('build', ['scripts/build.mjs', '--if-changed', '--draft'])
    await stories('end-to-end tests', { STORIES: 'all' }, belonging.stories)
  }
  await reading
}
