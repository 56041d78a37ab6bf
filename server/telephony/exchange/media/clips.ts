import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AudioSource, once } from './audio-source.ts'

const digitClips = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const demoClips = ['greeting', 'menu', 'goodbye', 'star', 'pound'] as const
const verificationClips = ['code', 'wrong', 'verified'] as const
/** Made by `scripts/make-clips.sh` and `scripts/make-verification-clips.sh`. */
export const clipNames = [...demoClips, ...verificationClips, ...digitClips] as const
export type ClipName = (typeof clipNames)[number]

const directory = join(import.meta.dirname, '..', 'clips')
/** Read at startup, so that a missing file shows then and no call waits for the disk. */
const samples: Readonly<Record<ClipName, Buffer>> = Object.fromEntries(
  clipNames.map(name => [name, readFileSync(join(directory, `${name}.ulaw`))]),
) as Record<ClipName, Buffer>

/** Raw mu-law at 8 kHz. */
export function clip(name: ClipName): Buffer {
  return samples[name]
}

export function spoken(name: ClipName): AudioSource {
  return once(clip(name))
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
