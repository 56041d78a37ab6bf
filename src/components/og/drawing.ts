import { readFileSync } from 'node:fs'
import { company } from '#lib/company.ts'
import { flagPath } from '#lib/numbers/flags.ts'
import { type LetterStyle, measure, outline, outlineOnRing, wrap } from './letters.ts'

/** What a link looks like where it is shared, in pixels. */
export const cardSize = { width: 1200, height: 630 } as const

export type Ink = 'blue' | 'red' | 'black'

/** A card without words, for pages of every language. */
export interface PlainCard {
  /** An engraving of `public/art`, or a country's flag. */
  readonly picture: { readonly art: string } | { readonly flagOf: string }
  readonly ink: Ink
  /** The stamp's face value. */
  readonly value: string
  readonly postmark: { readonly top: string; readonly bottom: string; readonly middle: string }
}

export interface OgCard extends PlainCard {
  readonly title: string
  /** A sentence beneath. */
  readonly line: string
  /** What the stamp's face value buys. */
  readonly unit?: string
}

/** Whether a card tells more than its stamp. */
export function hasText(card: PlainCard | OgCard): card is OgCard {
  return 'title' in card
}

/** The colours of `tokens.css` in daylight. */
const colours = {
  paper: '#f4efe3',
  sheet: '#fffdf8',
  rule: '#d5ccb8',
  ink: '#13203b',
  inkSoft: '#4d566b',
  stripeRed: '#c8323a',
  stripeBlue: '#24569f',
  shadow: '#4a3d1f',
} as const
const inks: Readonly<Record<Ink, string>> = { blue: '#1b4f9c', red: '#b3202b', black: colours.ink }

const margin = 72
const stamp = { x: 728, y: 64, width: 372, height: 480, tilt: 3 } as const
const tilted = `rotate(${stamp.tilt} ${stamp.x + stamp.width / 2} ${stamp.y + stamp.height / 2})`
const stampCentre = stamp.x + stamp.width / 2

/** What all cards of an ink have in common, those with words or those without: the sheet of paper and an empty stamp on it. */
export function drawBase(ink: Ink, { withText }: { readonly withText: boolean }): string {
  const plate = inks[ink]
  return svg(
    `<path fill="${colours.paper}" d="M0 0h1200v630H0z"/>${airmailEdge()}${crestsBelow()}${withText ? logo() : largeLogo()}` +
      `<filter id="lift" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="3"/></filter>` +
      `<g transform="${tilted}"><path fill="${colours.shadow}" opacity=".33" filter="url(#lift)" transform="translate(0 2)" d="${perforated()}"/>` +
      `<path fill="${colours.sheet}" d="${perforated()}"/>` +
      `<path fill="none" stroke="${plate}" stroke-opacity=".13" d="${hatching()}"/>` +
      `<path fill="none" stroke="${plate}" stroke-width="3" d="${plateFrame()}"/></g>`,
  )
}

/** What makes a card its own. Transparent elsewhere. */
export function drawCard(card: PlainCard | OgCard): string {
  const plate = inks[card.ink]
  const unit = hasText(card) ? card.unit : undefined
  return svg(
    (hasText(card) ? cardText(card) : '') +
      `<g transform="${tilted}">${picture(card, plate)}` +
      letters(outline(card.value, valueStyle(card.value), 'middle'), stampCentre, 462, plate) +
      (unit ? letters(outline(unit, { size: 23 }, 'middle'), stampCentre, 500, colours.ink) : '') +
      `</g>${postmark(card.postmark)}`,
  )
}

function letters(outlines: string, x: number, y: number, fill: string): string {
  return `<path fill="${fill}" transform="translate(${x} ${y.toFixed(1)})" d="${outlines}"/>`
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}">${content}</svg>`
}

function airmailEdge(): string {
  const slanted = (x: number) => `M${x} 18l18-18h17l-18 18z`
  const every = (offset: number) =>
    Array.from({ length: 24 }, (_, index) => slanted(index * 56.57 + offset - 40)).join('')
  return (
    `<path fill="${colours.sheet}" d="M0 0h1200v18H0z"/>` +
    `<path fill="${colours.stripeRed}" d="${every(0)}"/><path fill="${colours.stripeBlue}" d="${every(28.28)}"/>`
  )
}

function crestsBelow(): string {
  const lines = [14, 27, 40, 53, 66].map(y => `M-8 ${540 + y * 0.95}q28-21 56 0${'t56 0'.repeat(22)}`)
  return `<path fill="none" stroke="${colours.rule}" stroke-width="2" stroke-linecap="round" d="${lines.join('')}"/>`
}

function mark(place: string): string {
  const drawn = readFileSync('public/brand/mark.svg', 'utf8').replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')
  return `<svg ${place} viewBox="0 0 52 28">${drawn}</svg>`
}

/** In the place of a title. */
function largeLogo(): string {
  return (
    mark(`x="${margin}" y="214" width="208" height="112"`) +
    letters(outline(company.name, { size: 118, spacing: -0.028 }), margin, 448, colours.ink)
  )
}

function logo(): string {
  return (
    mark(`x="${margin}" y="83" width="84" height="45"`) +
    letters(outline(company.name, { size: 40, spacing: -0.02 }), 164, 121, colours.ink)
  )
}

/** The stamp's edge: a rectangle bitten by half circles, its corners by quarters. */
function perforated(): string {
  const { x, y, width, height } = stamp
  const hole = 9
  const side = (length: number, dx: number, dy: number) => {
    const count = Math.round(length / (3 * hole))
    const step = length / count - 2 * hole
    const straight = `l${dx * step} ${dy * step}`
    const bite = `a${hole} ${hole} 0 0 0 ${dx * 2 * hole} ${dy * 2 * hole}`
    return `${`${straight}${bite}`.repeat(count - 1)}${straight}`
  }
  const corner = (dx: number, dy: number) => `a${hole} ${hole} 0 0 0 ${dx * hole} ${dy * hole}`
  return (
    `M${x + hole} ${y}${side(width, 1, 0)}${corner(1, 1)}${side(height, 0, 1)}${corner(-1, 1)}` +
    `${side(width, -1, 0)}${corner(-1, -1)}${side(height, 0, -1)}${corner(1, -1)}Z`
  )
}

const rim = 21

function plateFrame(): string {
  return `M${stamp.x + rim} ${stamp.y + rim}h${stamp.width - 2 * rim}v${stamp.height - 2 * rim}h${2 * rim - stamp.width}z`
}

function hatching(): string {
  const count = Math.floor((stamp.height - 2 * rim) / 4)
  return Array.from(
    { length: count },
    (_, index) => `M${stamp.x + rim} ${stamp.y + rim + 4 * index + 2}h${stamp.width - 2 * rim}`,
  ).join('')
}

function picture(card: PlainCard, plate: string): string {
  if ('art' in card.picture) {
    const art = readFileSync(`public/art/${card.picture.art}.svg`, 'utf8').replace(/ color="[^"]*"/, '')
    return art.replace(
      '<svg ',
      `<svg color="${plate}" x="${stampCentre - 145}" y="98" width="290" height="290" `,
    )
  }
  const flag = readFileSync(`public${flagPath(card.picture.flagOf)}`, 'utf8')
  const [radius, centreY] = [115, 252]
  return (
    `<clipPath id="round"><circle cx="${stampCentre}" cy="${centreY}" r="${radius}"/></clipPath>` +
    `<circle cx="${stampCentre}" cy="${centreY}" r="${radius + 10}" fill="${plate}"/>` +
    `<circle cx="${stampCentre}" cy="${centreY}" r="${radius + 7}" fill="${colours.sheet}"/>` +
    `<g clip-path="url(#round)">${flag.replace(
      / width="512" height="512"/,
      ` x="${stampCentre - radius}" y="${centreY - radius}" width="${2 * radius}" height="${2 * radius}"`,
    )}</g>`
  )
}

function valueStyle(value: string) {
  const style = { size: 64, spacing: -0.02 }
  return measure(value, style) <= stamp.width - 4 * rim ? style : { ...style, size: 46 }
}

/** The largest letters in which a title keeps to its lines, left of the postmark. */
const titleSizes = [
  { size: 82, lines: 3 },
  { size: 70, lines: 3 },
  { size: 60, lines: 4 },
  { size: 50, lines: 5 },
  { size: 42, lines: 6 },
] as const
const columnWidth = 525

function cardText({ title, line }: OgCard): string {
  const { style, broken } = fitTitle(title)
  const lineStyle = { size: 27 }
  const below = shorten(wrap(line, lineStyle, 560), 3)
  const [leading, belowLeading] = [style.size * 1.04, 38]
  const height = broken.length * leading + 22 + below.length * belowLeading
  const top = 163 + Math.max(0, (356 - height) / 2)
  const titleLines = broken.map((part, index) =>
    letters(outline(part, style), margin, top + leading * index + style.size * 0.87, colours.ink),
  )
  const belowTop = top + broken.length * leading + 22
  const belowLines = below.map((part, index) =>
    letters(outline(part, lineStyle), margin, belowTop + belowLeading * index + 26, colours.inkSoft),
  )
  return [...titleLines, ...belowLines].join('')
}

function shorten(lines: readonly string[], maxLines: number): readonly string[] {
  if (lines.length <= maxLines) return lines
  return [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]?.replace(/\W+$/, '')}…`]
}

function fitTitle(title: string): { style: LetterStyle; broken: string[] } {
  let fitted: { style: LetterStyle; broken: string[] } | undefined
  for (const { size, lines } of titleSizes) {
    const style = { size, spacing: -0.028 }
    fitted = { style, broken: wrap(title, style, columnWidth) }
    const fits = fitted.broken.every(part => measure(part, style) <= columnWidth)
    if (fits && fitted.broken.length <= lines) break
  }
  if (!fitted) throw new Error('there is no size for titles')
  return fitted
}

const postmarks = new Map<string, string>()

function postmark(cardText: PlainCard['postmark']): string {
  const key = JSON.stringify(cardText)
  const drawn = postmarks.get(key) ?? drawPostmark(cardText)
  postmarks.set(key, drawn)
  return drawn
}

function drawPostmark({ top, bottom, middle }: PlainCard['postmark']): string {
  const ring = { size: 9.5, spacing: 0.12 }
  const waves = [
    [104, 26],
    [106, 42],
    [106, 58],
    [104, 74],
  ].map(([x, y]) => `M${x} ${y}q7.5-7 15 0${'t15 0'.repeat(5)}`)
  const around =
    outlineOnRing(top, ring, [50, 50], 37.5, 'upper') + outlineOnRing(bottom, ring, [50, 50], 43.5, 'lower')
  const name = outline(middle, { size: middle.length > 4 ? 17 : 21 }, 'middle')
  return (
    `<g transform="translate(596 70) rotate(-9 165 84) scale(1.684)" opacity=".92" fill="none" stroke="${inks.red}" stroke-width="1.6" stroke-linecap="round">` +
    `<circle cx="50" cy="50" r="47"/><circle cx="50" cy="50" r="30"/><path d="${waves.join('')}"/>` +
    `<g stroke="none"><path fill="${inks.red}" d="${around}"/>${letters(name, 50, 57, inks.red)}</g></g>`
  )
}
