import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isLocalisedScript } from './languages/localise.mjs'

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
/** One level below the best: 2 % more bytes in half the time, for hundreds of files. */
const small = { ...smallest, brotli: 10 }
/** Some 6 % more bytes in a twentieth of the time, for the thousands of pages in the folders of languages. */
const many = { ...smallest, brotli: 9 }
const fast = { brotli: 4, gzip: constants.Z_BEST_SPEED }

/** What a server may send at once on a new connection; the pages most visited by links keep to it. */
const firstWindow = 14 * 1024

/** Of two sites with the same name here, files of the same path and content have the same copies. */
export async function compressionName({ draft = false } = {}) {
  const { brotli, zlib } = process.versions
  const code = await readFile(new URL(import.meta.url))
  return createHash('sha256')
    .update(JSON.stringify([draft, brotli, zlib]))
    .update(code)
    .digest('hex')
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Writes a brotli (`.br`) and a gzip (`.gz`) copy beside each text file above 1 KB: at the best levels in the directory
 * itself and in `_astro`, a little faster for scripts of other languages and in the other folders, which hold hundreds of pages,
 * faster still below those, fast in a draft.
 * @param {string} directory
 * @param {{ draft?: boolean, earlier?: string, includes?: (name: string) => boolean }} [options] `earlier`: a site of the same
 *   `compressionName`: copies of files that did not change are taken from it; `includes`: of a path with forward slashes
 * @returns {Promise<number>} how many files were compressed
 */
export async function precompress(directory, { draft = false, earlier, includes = () => true } = {}) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile() && compressible.has(extname(entry.name)))
    .map(entry => relative(directory, join(entry.parentPath, entry.name)))
    .filter(name => includes(name.split(sep).join('/')))
  let done = 0
  const lane = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop())
      if (await compress(directory, file, draft ? fast : levelsOf(file), earlier)) done += 1
  }
  // All at once would hold all files, and an encoder for each.
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, lane))
  return done
}

function levelsOf(file) {
  const folder = dirname(file)
  if (folder === '.') return smallest
  if (folder === '_astro') return isLocalisedScript(basename(file)) ? small : smallest
  return folder.includes(sep) ? many : small
}

async function compress(directory, file, levels, earlier) {
  const path = join(directory, file)
  const content = await readFile(path)
  if (content.length <= smallestWorthwhile) return false
  if (earlier !== undefined && (await copyFrom(join(earlier, file), path, content))) return true
  const [brotlied, gzipped] = await Promise.all([
    toBrotli(content, levels),
    zip(content, { level: levels.gzip }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotlied), writeFile(`${path}.gz`, gzipped)])
  return true
}

/** Takes the copies of an earlier file if it has the same content. */
async function copyFrom(earlier, path, content) {
  try {
    if (!content.equals(await readFile(earlier))) return false
    await Promise.all(['.br', '.gz'].map(kind => copyFile(`${earlier}${kind}`, `${path}${kind}`)))
    return true
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

async function toBrotli(content, levels) {
  const compressed = await brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: levels.brotli,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_LGWIN]: windowFor(content.length),
    },
  })
  const nearlyFits = compressed.length > firstWindow && compressed.length < firstWindow * 1.1
  return levels === many && nearlyFits ? toBrotli(content, smallest) : compressed
}

/** A window that holds the whole file and no more: the encoder prepares all of it, which takes longer than a page. */
function windowFor(bytes) {
  const bits = Math.ceil(Math.log2(bytes + 16))
  return Math.min(Math.max(bits, constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW)
}
