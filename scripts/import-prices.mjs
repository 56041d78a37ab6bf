// `npm run prices -- <pricing.csv>`: what we charge beside what the voice vendor charges us.
import { requirePackages, runNode } from './node24.mjs'

requirePackages()
process.exit(runNode(['server/tariff/import-prices.ts', ...process.argv.slice(2)]))
