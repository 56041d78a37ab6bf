import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../process/finding.ts'

/** `npm start` builds the pages; a server started otherwise does not. */
export function checkSite(directory = join(import.meta.dirname, '..', '..', 'dist')): Check {
  return {
    about: 'Site',
    run: async find => [
      existsSync(join(directory, 'index.html'))
        ? find.ok('The pages are built.')
        : find.warning('The pages are not built yet.', 'npm start builds them; otherwise: npm run build'),
    ],
  }
}
