import { company } from '#lib/company.ts'
import { flagPath } from '#lib/numbers/flags.ts'
import { cardTexts } from './card-texts.ts'
import { backLines, printedLink, ringText, type SharedCall } from './share-call.ts'

const width = 1080
const height = 1440
const half = height / 2
const margin = 90

/** The design's light colours: a card looks the same wherever it is shared. */
const colours = {
  paper: '#f4efe3',
  sheet: '#fffdf8',
  rule: '#d5ccb8',
  ink: '#13203b',
  soft: '#4d566b',
  blue: '#1b4f9c',
  red: '#b3202b',
  stripeRed: '#c8323a',
  stripeBlue: '#24569f',
} as const

const display = (px: number) => `640 ${px}px Besley, Rockwell, Georgia, serif`
const body = (px: number, weight = 400) =>
  `${weight} ${px}px system-ui, "Segoe UI", Roboto, Arial, sans-serif`

export interface DrawnCard {
  readonly blob: Blob
  /** A data URL: our pages show no blob. */
  readonly address: string
}

/**
 * Draws the card as a PNG of 1080 x 1440 pixels: the front with country and minutes, below it the back with the link.
 * Rejects if the browser cannot draw.
 */
export async function drawCard(call: SharedCall, link: string): Promise<DrawnCard> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('this browser has no canvas')
  const [flag] = await Promise.all([
    loadImage(flagPath(call.country.isoCode)),
    document.fonts.load(display(40)).catch(() => []),
  ])
  pen.direction = isMirrored() ? 'rtl' : 'ltr'
  pen.textAlign = 'start'
  pen.fillStyle = colours.paper
  pen.fillRect(0, 0, width, height)
  drawFront(pen, call, flag)
  drawPerforation(pen)
  drawBack(pen, call, link)
  return {
    address: canvas.toDataURL('image/png'),
    blob: await new Promise((resolve, reject) => {
      canvas.toBlob(blob => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png')
    }),
  }
}

/** Whether the page, and with it the card, reads from right to left. */
const isMirrored = () => document.dir === 'rtl'

/** @param inset from the side on which a line of text begins */
const across = (inset: number) => (isMirrored() ? width - inset : inset)

/** @returns null if there is no such picture; the card does without */
async function loadImage(path: string): Promise<HTMLImageElement | null> {
  const image = new Image(300, 300)
  image.src = path
  try {
    await image.decode()
    return image
  } catch {
    return null
  }
}

function drawFront(pen: CanvasRenderingContext2D, call: SharedCall, flag: HTMLImageElement | null): void {
  drawStripe(pen)
  drawStamp(pen, isMirrored() ? margin : width - margin - 240, 110, flag)
  drawPostmark(pen, across(width - margin - 250), 380, call)
  pen.fillStyle = colours.ink
  pen.font = body(34, 600)
  pen.fillText(company.name, across(margin), 150)
  const count = String(call.minutes)
  pen.font = display(150)
  pen.fillText(count, across(margin), 420)
  const countWidth = pen.measureText(count).width
  pen.font = display(56)
  pen.fillText(cardTexts.minutes({ minutes: call.minutes }), across(margin + countWidth + 20), 420)
  pen.font = display(fitting(pen, call.country.name, 84, width - 2 * margin))
  pen.fillText(call.country.name, across(margin), 580)
  if (!call.lessThanStamp) return
  pen.fillStyle = colours.red
  pen.font = display(40)
  pen.fillText(cardTexts.lessThanStamp, across(margin), 655)
}

/** The largest size up to `px` at which the text fits. */
function fitting(pen: CanvasRenderingContext2D, text: string, px: number, max: number): number {
  pen.font = display(px)
  return Math.floor(Math.min(px, (px * max) / pen.measureText(text).width))
}

function drawStripe(pen: CanvasRenderingContext2D): void {
  const depth = 34
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, width, depth)
  pen.clip()
  pen.fillStyle = colours.sheet
  pen.fillRect(0, 0, width, depth)
  for (let x = -depth, index = 0; x < width + depth; x += 66, index += 1) {
    pen.fillStyle = index % 2 === 0 ? colours.stripeRed : colours.stripeBlue
    pen.beginPath()
    pen.moveTo(x, depth)
    pen.lineTo(x + depth, 0)
    pen.lineTo(x + depth + 38, 0)
    pen.lineTo(x + 38, depth)
    pen.fill()
  }
  pen.restore()
}

/** A stamp with the country's flag. @param x its left edge @param y its top edge */
function drawStamp(pen: CanvasRenderingContext2D, x: number, y: number, flag: HTMLImageElement | null): void {
  const [w, h, hole] = [240, 280, 10]
  pen.fillStyle = colours.sheet
  pen.fillRect(x, y, w, h)
  pen.fillStyle = colours.paper
  for (let at = 0; at <= w; at += 2 * hole + 4) for (const edge of [y, y + h]) dot(pen, x + at, edge, hole)
  for (let at = 0; at <= h; at += 2 * hole + 4) for (const edge of [x, x + w]) dot(pen, edge, y + at, hole)
  pen.strokeStyle = colours.blue
  pen.lineWidth = 3
  pen.strokeRect(x + 26, y + 26, w - 52, h - 52)
  if (flag === null) return
  const size = 140
  const [left, top] = [x + (w - size) / 2, y + (h - size) / 2]
  pen.save()
  pen.beginPath()
  pen.arc(left + size / 2, top + size / 2, size / 2, 0, 2 * Math.PI)
  pen.clip()
  pen.drawImage(flag, left, top, size, size)
  pen.restore()
}

function dot(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
}

/** The postmark over the stamp's corner, with the waves of its cancellation. @param x and y of its centre */
function drawPostmark(pen: CanvasRenderingContext2D, x: number, y: number, call: SharedCall): void {
  pen.save()
  pen.translate(x, y)
  const mirror = isMirrored() ? -1 : 1
  pen.rotate(-0.14 * mirror)
  pen.strokeStyle = colours.red
  pen.fillStyle = colours.red
  pen.lineWidth = 4
  for (const radius of [112, 76]) {
    pen.beginPath()
    pen.arc(0, 0, radius, 0, 2 * Math.PI)
    pen.stroke()
  }
  for (const row of [-45, -15, 15, 45]) {
    pen.beginPath()
    pen.moveTo(126 * mirror, row)
    for (let at = 126; at < 126 + 5 * 36; at += 36) {
      pen.quadraticCurveTo((at + 9) * mirror, row - 14, (at + 18) * mirror, row)
      pen.quadraticCurveTo((at + 27) * mirror, row + 14, (at + 36) * mirror, row)
    }
    pen.stroke()
  }
  pen.textAlign = 'center'
  pen.font = body(24, 600)
  onRing(pen, ringText(call.country.name), 86)
  pen.font = display(44)
  pen.fillText(String(call.minutes), 0, 8)
  pen.font = display(28)
  pen.fillText(cardTexts.minutesShort, 0, 42)
  pen.restore()
}

/** Pixels of the strip for one of the card. */
const sharpness = 3

/** Bends a line of text along the upper half of a ring around the origin. Letters are not drawn apart: in some scripts they join. */
function onRing(pen: CanvasRenderingContext2D, text: string, radius: number): void {
  const [ascent, lineHeight] = [32, 44]
  if (!/[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}]/u.test(text)) pen.letterSpacing = '4px'
  const length = pen.measureText(text).width
  const strip = document.createElement('canvas')
  strip.width = Math.ceil(length * sharpness)
  strip.height = lineHeight * sharpness
  const ink = strip.getContext('2d')
  if (ink === null) return
  ink.scale(sharpness, sharpness)
  const { direction, font, fillStyle, letterSpacing } = pen
  Object.assign(ink, { direction, font, fillStyle, letterSpacing, textAlign: 'center' })
  ink.fillText(text, length / 2, ascent)
  pen.letterSpacing = '0px'
  for (let at = 0; at < strip.width; at += 1) {
    pen.save()
    pen.rotate((at / sharpness - length / 2) / radius)
    // Two pixels of the strip: outside the ring they part.
    pen.drawImage(strip, at, 0, 2, strip.height, 0, -radius - ascent, 2 / sharpness, lineHeight)
    pen.restore()
  }
}

function drawPerforation(pen: CanvasRenderingContext2D): void {
  pen.fillStyle = colours.rule
  for (let x = 18; x < width; x += 36) dot(pen, x, half, 7)
}

function drawBack(pen: CanvasRenderingContext2D, call: SharedCall, link: string): void {
  pen.fillStyle = colours.ink
  for (const [index, line] of backLines(call).entries()) {
    pen.font = display(fitting(pen, line, 60, width - 2 * margin))
    pen.fillText(line, across(margin), half + 170 + index * 75)
  }
  pen.fillStyle = colours.soft
  pen.font = body(36)
  pen.fillText(
    call.lessThanStamp ? cardTexts.cheapFirstIsFree : cardTexts.firstIsFree,
    across(margin),
    half + 320,
  )
  pen.strokeStyle = colours.rule
  pen.lineWidth = 3
  pen.beginPath()
  pen.moveTo(margin, half + 520)
  pen.lineTo(width - margin, half + 520)
  pen.stroke()
  const printed = printedLink(link)
  pen.fillStyle = colours.blue
  pen.font = display(fitting(pen, printed, 48, width - 2 * margin))
  pen.fillText(printed, across(margin), half + 500)
}
