import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Raw } from 'sharp'
import { cardSize, drawBase, drawCard, hasText, type PlainCard } from './drawing.ts'

/** Pictures of earlier builds, named after what they were drawn from. */
const store = join('.astro', 'og')

/** Few enough colours for some 40 KB a picture; without dither, which would not compress. */
const encoding = { palette: true, quality: 50, effort: 1, dither: 0, compressionLevel: 6 } as const

/** Pictures drawn at the same time, beside the pages that are built meanwhile. */
const lanes = 2

interface Base {
  readonly drawing: string
  readonly pixels: Promise<Buffer>
}

const bases = new Map<string, Base>()
const raw: Raw = { ...cardSize, channels: 3 }

function baseOf(card: PlainCard): Base {
  const withText = hasText(card)
  const key = `${card.ink} ${withText}`
  const known = bases.get(key)
  if (known) return known
  const drawing = drawBase(card.ink, { withText })
  let pixels: Promise<Buffer> | undefined
  const base: Base = {
    drawing,
    get pixels() {
      pixels ??= sharp(Buffer.from(drawing)).flatten().raw().toBuffer()
      return pixels
    },
  }
  bases.set(key, base)
  return base
}

/** Draws a card as PNG, or takes it from an earlier build that drew the same. */
export async function drawImage(card: PlainCard): Promise<Buffer> {
  const base = baseOf(card)
  const drawing = drawCard(card)
  const key = createHash('sha256')
    .update(JSON.stringify([sharp.versions, encoding, base.drawing, drawing]))
    .digest('hex')
  const name = `${key}.png`
  used.add(name)
  const file = join(store, name)
  const kept = await readFile(file).catch(() => undefined)
  if (kept) return kept
  const image = await sharp(await base.pixels, { raw })
    .composite([{ input: Buffer.from(drawing) }])
    .png(encoding)
    .toBuffer()
  await keep(file, image)
  return image
}

async function keep(file: string, image: Buffer): Promise<void> {
  await mkdir(store, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, image)
  await rename(unfinished, file)
}

const used = new Set<string>()
const underWay = new Map<PlainCard, Promise<Buffer>>()

/** The picture of a card that `drawAll` has in hand; else drawn now. */
export function imageOf(card: PlainCard): Promise<Buffer> {
  return underWay.get(card) ?? drawImage(card)
}

/** Draws a few at a time, while the pages are built. Stored pictures that no card asked for are removed at the end. */
export function drawAll(cards: Iterable<PlainCard>): void {
  const waiting = [...cards].map(card => ({ card, ...Promise.withResolvers<Buffer>() }))
  for (const { card, promise } of waiting) {
    promise.catch(() => undefined) // whoever asks for the picture gets the error
    underWay.set(card, promise)
  }
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await drawImage(next.card).then(next.resolve, next.reject)
    }
  }
  void Promise.all(Array.from({ length: lanes }, lane)).then(removeUnused)
}

async function removeUnused(): Promise<void> {
  const names = await readdir(store).catch(() => [])
  for (const name of names) if (!used.has(name)) await rm(join(store, name), { force: true })
}
