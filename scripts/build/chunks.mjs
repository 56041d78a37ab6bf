import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { projectRoot } from '../fingerprint.mjs'

/**
 * Modules that the same pages load, one file for each group: files are compressed one by one, and left to the bundler
 * the dialler is fifty. A group takes along what its modules import, unless an earlier one has it. `icons`: names of
 * lucide-react. `others`: parts of the paths of modules that packages and the bundler bring.
 */
const groups = [
  { name: 'react', packages: ['@nanostores/react', 'react', 'react-dom', 'scheduler'] },
  {
    name: 'stores',
    packages: ['nanostores'],
    others: ['vite/preload-helper'],
    files: [
      'src/lib/company.ts',
      'src/lib/i18n/formats.ts',
      'src/lib/i18n/language.ts',
      'src/lib/i18n/path.ts',
      'src/lib/memoised.ts',
      'src/lib/money/money.ts',
      'src/lib/money/pricing.ts',
      'src/lib/numbers/dialable.ts',
      'src/lib/numbers/flags.ts',
      'src/session/load-optional.ts',
      'src/session/navigation.ts',
      'src/session/storage.ts',
    ],
  },
  {
    name: 'session',
    packages: ['zod'],
    files: ['src/lib/api/sign-in.ts', 'src/session/session.ts'],
  },
  {
    name: 'toasts',
    others: ['/createLucideIcon.'],
    icons: ['x', 'info', 'circle-exclamation-point', 'triangle-exclamation-point'],
    files: ['src/session/toasts.ts'],
  },
  {
    name: 'calling',
    icons: ['phone', 'phone-off', 'mic', 'mic-off', 'trash'],
    files: [
      'src/islands/dialler/call/Timer.tsx',
      'src/islands/dialler/call/balance.ts',
      'src/islands/dialler/call/call-obstacle.ts',
      'src/islands/dialler/call/call.ts',
      'src/islands/dialler/call/in-call.module.css',
      'src/islands/dialler/call/is-test-call.ts',
      'src/islands/dialler/call/place-call.ts',
      'src/islands/dialler/call/price-question.ts',
      'src/islands/dialler/caller-id/caller-id.module.css',
      'src/islands/dialler/contacts/contacts.module.css',
      'src/islands/dialler/contacts/use-minute.ts',
      'src/islands/dialler/dialler.module.css',
      'src/islands/dialler/next-task.ts',
      'src/islands/dialler/number/caution.ts',
      'src/islands/dialler/number/dial.ts',
      'src/islands/dialler/number/number.module.css',
      'src/islands/dialler/number/use-number-keys.ts',
      'src/islands/dialler/use-wide.ts',
      'src/shared/caller-ids/caller-ids.ts',
      'src/shared/keypad/Keypad.tsx',
      'src/shared/keypad/keypad.module.css',
      'src/shared/keypad/use-digit-keys.ts',
      'src/shared/numbers/number-format.ts',
      'src/ui/dialog.module.css',
      'src/ui/use-elapsed.ts',
    ],
  },
  { name: 'icons', icons: ['check', 'plus', 'search'] },
]

/** @throws Error naming a file that is not there: it was moved, and a page would load more files than it needs. */
function requireFiles({ name, files = [] }) {
  const missing = files.find(file => !existsSync(join(projectRoot, file)))
  if (missing !== undefined)
    throw new Error(`scripts/build/chunks.mjs: ${missing} of the group ${name} does not exist.`)
}

export const chunkGroups = groups.map(group => {
  requireFiles(group)
  const { name, packages = [], others = [], icons = [], files = [] } = group
  const parts = [
    ...packages.map(each => `/node_modules/${each}/`),
    ...others,
    ...icons.map(icon => `/lucide-react/dist/esm/icons/${icon}.`),
  ]
  const own = new Set(files)
  return {
    name,
    test: id => {
      const path = id.replace(/\?.*$/, '').split(sep).join('/')
      return parts.some(part => path.includes(part)) || own.has(relative(projectRoot, path))
    },
  }
})
