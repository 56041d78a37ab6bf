import { readFileSync } from 'node:fs'

/** The engravings of `public/art` that an article may carry. */
export const arts = ['globe', 'dial', 'pillar', 'telephone', 'wires'] as const
export type Art = (typeof arts)[number]

/** The inks that an engraving may be printed in: one each, as on a stamp. */
export const inks = ['blue', 'red', 'black'] as const
export type Ink = (typeof inks)[number]

/** The inks of `tokens.css` on a stamp, which stays pale at night. */
const colours: Readonly<Record<Ink, string>> = { blue: '#1b4f9c', red: '#b3202b', black: '#13203b' }

export const plateClasses: Readonly<Record<Ink, string | undefined>> = {
  blue: undefined,
  red: 'r',
  black: 'k',
}

export function engravingPath(art: Art, ink: Ink): string {
  return `/blog/art/${art}-${ink}.svg`
}

/** @throws Error when the file does not say its ink once, on the root: then it could not be printed in another */
export function engraving(art: Art, ink: Ink): string {
  const file = `public/art/${art}.svg`
  const svg = readFileSync(file, 'utf8')
  const inked = /^(<svg\b[^>]*\scolor=")#[0-9a-f]{6}(")/
  if (!inked.test(svg)) throw new Error(`${file}: the root has no color="#rrggbb"`)
  return svg.replace(inked, `$1${colours[ink]}$2`)
}
