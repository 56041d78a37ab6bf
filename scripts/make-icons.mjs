// `node scripts/make-icons.mjs`: renders the pixel icons from the drawings in public/brand. Run it when one changes,
// and commit the result.
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { projectRoot } from './fingerprint.mjs'

const publicFile = name => `${projectRoot}public/${name}`

/** `drawing` is below public/brand, `size` in pixels. */
function draw(drawing, size) {
  const density = (72 * size) / 32
  return sharp(publicFile(`brand/${drawing}`), { density: Math.min(density, 2400) })
    .resize(size, size)
    .png({ palette: true, effort: 10, compressionLevel: 9 })
    .toBuffer()
}

/** An .ico file of one picture: header, one entry, and the PNG. */
function icoOf(png, size) {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2) // type: icon
  header.writeUInt16LE(1, 4) // one picture
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10) // planes
  header.writeUInt16LE(32, 12) // bits per pixel
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}

await writeFile(publicFile('favicon.ico'), icoOf(await draw('favicon.svg', 32), 32))
await writeFile(publicFile('apple-touch-icon.png'), await draw('icon.svg', 180))
await writeFile(publicFile('brand/icon-192.png'), await draw('icon.svg', 192))
await writeFile(publicFile('brand/icon-512.png'), await draw('icon.svg', 512))
await writeFile(publicFile('brand/icon-maskable-512.png'), await draw('icon-maskable.svg', 512))
