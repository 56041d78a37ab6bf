import { together } from './programs.mjs'

export const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']
// TypeScript 7 checks in a third of the time. `astro check` needs the programming interface of TypeScript 6.
const compiler = 'node_modules/typescript-native/bin/tsc'
export const astroCheck = ['node_modules/astro/bin/astro.mjs', 'check', '--minimumSeverity', 'warning']

/** @param {'src/lib' | 'server' | 'tests'} project a folder with a `tsconfig.json` */
export const typesOf = project => [compiler, '-p', project]

/** The longest comes first, so that nothing waits for it at the end. */
export function typeChecks() {
  return [
    ['types of pages and islands', astroCheck],
    ...['src/lib', 'server', 'tests'].map(project => [`types of ${project}`, typesOf(project)]),
  ]
}

/** Format, lint, import directions, unused code, types: the same in `npm run check`, `npm test` and `.ci/run`. */
export function staticChecks() {
  const [pages, ...otherTypes] = typeChecks()
  return together([
    pages,
    ['format and lint', biome],
    [
      'import directions',
      ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'src', 'server', 'scripts/build'],
    ],
    ['unused code', ['node_modules/knip/bin/knip.js']],
    ...otherTypes,
  ])
}
