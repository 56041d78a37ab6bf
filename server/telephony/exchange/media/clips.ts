import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bestLanguage } from '#lib/i18n/best-language.ts'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import { type AudioSource, once } from './audio-source.ts'

const digitClips = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const demoClips = ['greeting', 'menu', 'goodbye', 'star', 'pound'] as const
const verificationClips = ['code', 'wrong', 'verified'] as const
/** Made by `scripts/make-clips.sh`. */
export const clipNames = [...demoClips, ...verificationClips, ...digitClips] as const
export type ClipName = (typeof clipNames)[number]

const directory = join(import.meta.dirname, '..', 'clips')
/** BCP 47 tags of the languages that the clips speak, each the name of a folder. */
export const spokenLanguages: readonly string[] = readdirSync(directory)
/** Read at startup, so that a missing file shows then and no call waits for the disk. */
const samples = new Map(
  spokenLanguages.flatMap(language =>
    clipNames.map(name => [`${language}/${name}`, readFileSync(join(directory, language, `${name}.ulaw`))]),
  ),
)

/**
 * The language to speak with whoever answers: the first of their own that has clips, else the main one of the number's
 * country, else English.
 * @param number E.164
 */
export function languageOfCallee(number: string, own: readonly string[] = []): string {
  const verdict = parseNumber(number, defaultCountry)
  const ofCountry = verdict.kind === 'ok' ? [`und-${verdict.isoCode}`] : []
  return bestLanguage([...own, ...ofCountry], spokenLanguages) ?? sourceLanguage
}

/** Raw mu-law at 8 kHz. @param language one of `spokenLanguages` */
export function clip(name: ClipName, language: string = sourceLanguage): Buffer {
  const found = samples.get(`${language}/${name}`)
  if (found === undefined) throw new Error(`no clips in ${language}`)
  return found
}

export function spoken(name: ClipName, language?: string): AudioSource {
  return once(clip(name, language))
}

export function clipOfDigit(digit: Digit): ClipName {
  if (digit === '*') return 'star'
  return digit === '#' ? 'pound' : digit
}

export const digits = [...digitClips, '*', '#'] as const
export type Digit = (typeof digits)[number]

export function isDigit(text: string): text is Digit {
  return digits.some(digit => digit === text)
}
