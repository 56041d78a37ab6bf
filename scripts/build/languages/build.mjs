import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../fingerprint.mjs'
import { allDefinitions, readEnglish, readLanguages } from './catalogues.mjs'
import { faultsOf, unusedTexts } from './check.mjs'
import { contentFaultsOf } from './content.mjs'
import { pseudoLanguage } from './pseudo.mjs'

/**
 * The languages besides English that a build makes: the published ones; with `ALL_LANGUAGES=1` also those in the making, and a
 * made-up one that shows what is not translated or does not fit.
 * @returns {Promise<import('./catalogues.mjs').Language[]>}
 */
export async function languagesOfBuild(env) {
  const languages = readLanguages()
  if (env.ALL_LANGUAGES !== '1') return languages.filter(({ published }) => published)
  return [...languages, pseudoLanguage(await readEnglish())]
}

/** A line for each message or question that is missing, that English does not have, or that is unlike its English one. */
export async function languageFaults() {
  const english = await readEnglish()
  return readLanguages().flatMap(language => [
    ...faultsOf(language, english),
    ...contentFaultsOf(language.tag),
  ])
}

/** A line for each English text that nothing reads. A test asks, not the build: a copy with fewer pages reads fewer texts. */
export async function unreadTexts() {
  return unusedTexts(await allDefinitions(), sources())
}

/** @throws Error with the faults of all languages */
export async function requireWholeLanguages() {
  const faults = await languageFaults()
  if (faults.length > 0)
    throw new Error(`These messages keep the site from being built:\n${faults.join('\n')}`)
}

function sources() {
  const files = globSync('{src,server}/**/*.{ts,tsx,astro}', { cwd: projectRoot })
  return new Map(files.map(file => [file, readFileSync(join(projectRoot, file), 'utf8')]))
}
