// `npm run prices -- <pricing.csv>`: compares our rates with the carrier's prices.
import { requirePackages, runNode } from './node24.mjs'

/**
 * `npm run prices --check`, without the two dashes before it: npm takes the option for itself and passes only its value on
 * (npm 11: `true`, or what follows `--check=`).
 */
function checkForNpm() {
  const { npm_config_check: value = '' } = process.env
  if (value === '' || value === 'false' || process.argv.includes('--check')) return []
  return value === 'true' ? ['--check'] : ['--check', value]
}

requirePackages()
process.exit(runNode(['server/tariff/import-prices.ts', ...checkForNpm(), ...process.argv.slice(2)]))
