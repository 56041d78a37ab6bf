// `npm run types`: checks every TypeScript project, and the Astro pages.
import { installPackages, runNode } from './node24.mjs'

installPackages()
// TypeScript 7 checks in a third of the time. `astro check` needs the programming interface of TypeScript 6.
const tsc = 'node_modules/typescript-native/bin/tsc'
const projects = ['src/lib', 'server', 'tests']
let failed =
  runNode(['node_modules/astro/bin/astro.mjs', 'check', '--minimumSeverity', 'warning']) === 0 ? 0 : 1
for (const project of projects) failed |= runNode([tsc, '-p', project]) === 0 ? 0 : 1
process.exit(failed)
