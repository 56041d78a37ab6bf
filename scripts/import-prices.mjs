// `npm run prices -- <pricing.csv>`: compares our rates with the carrier's prices.
import { requirePackages, runNode } from './node24.mjs'

/** For `npm run prices --check`: npm 11 takes the option and passes only its value on (`true`, or what follows `=`). */
function checkForNpm() {
  const { npm_config_check: value = '' } = process.env
  if (value === '' || value === 'false' || process.argv.includes('--check')) return []
  return value === 'true' ? ['--check'] : ['--check', value]
}

requirePackages()
process.exit(runNode(['server/tariff/import-prices.ts', ...checkForNpm(), ...process.argv.slice(2)]))
