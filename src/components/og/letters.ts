// @vocabulary words: they are words of a language.
import { type Font, openSync, type PathCommand } from 'fontkit'

/** Besley as outlines: a picture drawn at build time looks the same on every machine, whatever fonts it has. */

const fonts = ['core', 'ext'].map(name => openFont(`public/fonts/besley-${name}.woff2`))

function openFont(file: string): Font {
  const font = openSync(file)
  if ('fonts' in font) throw new Error(`${file} holds several fonts`)
  return font
}

interface PlacedGlyph {
  /** Outline in font units, y upwards. */
  readonly commands: readonly PathCommand[]
  /** Where the glyph starts, and how far it reaches, in pixels. */
  readonly x: number
  readonly width: number
  readonly scale: number
}

export interface LetterStyle {
  /** Pixels. */
  readonly size: number
  /** Between letters, in parts of the size; negative is closer. */
  readonly spacing?: number
}

/** The font that has a character; characters that neither has lose their accents, then themselves. */
function runsOf(text: string): { font: Font; text: string }[] {
  const runs: { font: Font; text: string }[] = []
  for (const character of text.normalize('NFC')) {
    for (const part of drawable(character)) {
      const font = fonts.find(candidate => candidate.hasGlyphForCodePoint(part.codePointAt(0) ?? 0))
      if (!font) continue
      const last = runs.at(-1)
      if (last?.font === font) last.text += part
      else runs.push({ font, text: part })
    }
  }
  return runs
}

function drawable(character: string): string {
  const known = fonts.some(font => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
  return known ? character : character.normalize('NFKD')
}

function place(text: string, { size, spacing = 0 }: LetterStyle): readonly PlacedGlyph[] {
  const placed: PlacedGlyph[] = []
  let x = 0
  for (const { font, text: part } of runsOf(text)) {
    const scale = size / font.unitsPerEm
    const { glyphs, positions } = font.layout(part)
    for (const [index, glyph] of glyphs.entries()) {
      const width = (positions[index]?.xAdvance ?? glyph.advanceWidth) * scale + spacing * size
      placed.push({ commands: glyph.path.commands, x, width, scale })
      x += width
    }
  }
  return placed
}

function widthOf(glyphs: readonly PlacedGlyph[]): number {
  return glyphs.reduce((sum, glyph) => sum + glyph.width, 0)
}

/** How wide a line of text is, in pixels. */
export function measure(text: string, style: LetterStyle): number {
  return widthOf(place(text, style))
}

const letterOf: Readonly<Record<string, string>> = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'Z',
}

/** A glyph's outline as SVG path data, each point taken through `map`. */
function pathOf(glyph: PlacedGlyph, map: (x: number, y: number) => readonly [number, number]): string {
  return glyph.commands
    .map(({ command, args }) => {
      const points: string[] = []
      for (let index = 0; index < args.length; index += 2) {
        const [x, y] = map((args[index] ?? 0) * glyph.scale, -(args[index + 1] ?? 0) * glyph.scale)
        points.push(`${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`)
      }
      return `${letterOf[command]}${points.join(' ')}`
    })
    .join('')
}

/** Lines drawn before: most cards share theirs, and drawing letters takes longer than all the rest. */
const outlines = new Map<string, string>()

/** A line of text as SVG path data on the baseline 0, from 0 on, or about 0 when it is centred. */
export function outline(text: string, style: LetterStyle, anchor: 'start' | 'middle' = 'start'): string {
  const key = JSON.stringify([text, style, anchor])
  const known = outlines.get(key)
  if (known !== undefined) return known
  const glyphs = place(text, style)
  const left = anchor === 'start' ? 0 : ((style.spacing ?? 0) * style.size - widthOf(glyphs)) / 2
  const drawn = glyphs.map(glyph => pathOf(glyph, (dx, dy) => [left + glyph.x + dx, dy])).join('')
  outlines.set(key, drawn)
  return drawn
}

/** SVG path data along a circle: in the middle of its upper half, clockwise, or of its lower half, the other way. */
export function outlineOnRing(
  text: string,
  style: LetterStyle,
  centre: readonly [number, number],
  radius: number,
  half: 'upper' | 'lower',
): string {
  const glyphs = place(text, style)
  const sign = half === 'upper' ? 1 : -1
  const middle = (widthOf(glyphs) - (style.spacing ?? 0) * style.size) / 2
  return glyphs
    .map(glyph => {
      const glyphMiddle = glyph.x + glyph.width / 2
      const angle = (sign * (glyphMiddle - middle)) / radius
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      return pathOf(glyph, (dx, dy) => {
        const [across, up] = [dx - glyph.width / 2, dy - sign * radius]
        return [centre[0] + across * cos - up * sin, centre[1] + across * sin + up * cos]
      })
    })
    .join('')
}

/** Breaks a text into lines no wider than `width` pixels, as few as can be, of about the same length. */
export function wrap(text: string, style: LetterStyle, width: number): string[] {
  const words = text.split(/\s+/).map(word => ({ text: word, width: measure(word, style) }))
  const space = measure(' ', style)
  const fewest = breakLines(words, space, width)
  let narrowest = fewest
  for (let narrower = width - 10; narrower > width / 3; narrower -= 10) {
    const lines = breakLines(words, space, narrower)
    if (lines.length > fewest.length) break
    narrowest = lines
  }
  return narrowest
}

interface Word {
  readonly text: string
  readonly width: number
}

function breakLines(words: readonly Word[], space: number, width: number): string[] {
  const lines: string[] = []
  let end = Infinity
  for (const word of words) {
    end += space + word.width
    if (end <= width) lines[lines.length - 1] += ` ${word.text}`
    else {
      lines.push(word.text)
      end = word.width
    }
  }
  return lines
}
