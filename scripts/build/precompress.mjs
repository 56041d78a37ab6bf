import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = new Set([
  '.css',
  '.csv',
  '.html',
  '.js',
  '.json',
  '.map',
  '.mjs',
  '.svg',
  '.txt',
  '.webmanifest',
  '.xml',
])

/** Bytes. A smaller file fits one packet anyway. */
const smallestWorthwhile = 1024

const smallest = { brotli: constants.BROTLI_MAX_QUALITY, gzip: constants.Z_BEST_COMPRESSION }
/** One level below the best: 2 % more bytes in a third of the time, for hundreds of files. */
const small = { ...smallest, brotli: 10 }
/** Some 6 % more bytes in a tenth of the time, for the thousands of pages in the folders of languages. */
const many = { ...smallest, brotli: 9 }
const fast = { brotli: 4, gzip: constants.Z_BEST_SPEED }

/** What a server may send at once on a new connection; the pages most visited by links keep to it. */
const firstWindow = 14 * 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Writes a brotli (`.br`) and a gzip (`.gz`) copy beside each text file above 1 KB: at the best levels in the directory
 * itself and in `_astro`, a little faster in the other folders, which hold hundreds of pages, faster still below those, fast in
 * a draft.
 * @returns {Promise<number>} how many files were compressed
 */
export async function precompress(directory, { draft = false } = {}) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile() && compressible.has(extname(entry.name)))
    .map(entry => resolve(entry.parentPath, entry.name))
  const levelsOf = file => {
    const folder = relative(directory, dirname(file))
    if (draft) return fast
    if (folder === '' || folder === '_astro') return smallest
    return folder.includes(sep) ? many : small
  }
  const done = await Promise.all(files.map(file => compress(file, levelsOf(file))))
  return done.filter(Boolean).length
}

async function compress(file, levels) {
  const content = await readFile(file)
  if (content.length <= smallestWorthwhile) return false
  const [brotlied, gzipped] = await Promise.all([
    toBrotli(content, levels),
    zip(content, { level: levels.gzip }),
  ])
  await Promise.all([writeFile(`${file}.br`, brotlied), writeFile(`${file}.gz`, gzipped)])
  return true
}

async function toBrotli(content, { brotli: quality }) {
  const compressed = await brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
  const nearlyFits = compressed.length > firstWindow && compressed.length < firstWindow * 1.1
  return quality === many.brotli && nearlyFits ? toBrotli(content, smallest) : compressed
}
