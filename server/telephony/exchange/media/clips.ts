import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The spoken clips, made by `scripts/make-clips.sh`: raw mu-law. */
const digitClips = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
export const clipNames = ['greeting', 'menu', 'goodbye', 'star', 'pound', ...digitClips] as const
export type ClipName = (typeof clipNames)[number]

const directory = join(import.meta.dirname, '..', 'clips')
const loaded = new Map<ClipName, Buffer>()

/** The samples of a clip, read from its file once. */
export function clip(name: ClipName): Buffer {
  const samples = loaded.get(name) ?? readFileSync(join(directory, `${name}.ulaw`))
  loaded.set(name, samples)
  return samples
}

/** The clip that speaks a digit: 0-9, `*` or `#`. */
export function clipOfDigit(digit: Digit): ClipName {
  if (digit === '*') return 'star'
  return digit === '#' ? 'pound' : digit
}

export type Digit = (typeof digitClips)[number] | '*' | '#'
