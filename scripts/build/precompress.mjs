import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { serverData } from '../site.mjs'
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
 * @param {string} site
 * @param {object} [options]
 * @param {boolean} [options.draft]
 * @param {string} [options.earlier] a site that was built before: the copies of files that did not change are taken from it
 * @param {readonly string[]} [options.files] paths within the site; all of them if not given
 * @param {number} [options.lanes] how many are compressed at the same time. All at once would hold all files, and an encoder for each.
 * @returns {Promise<number>} how many files were compressed
 */
export async function precompress(
  site,
  { draft = false, earlier, files, lanes = 2 * availableParallelism() } = {},
) {
  const waiting = (files ?? (await filesIn(site))).filter(name => compressible.has(extname(name)))
  const reused = earlier !== undefined && (await isOfCompression(earlier, { draft })) ? earlier : undefined
  let done = 0
  const lane = async () => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      if (await compress(site, file, draft ? fast : levelsOf(file), reused)) done += 1
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return done
}

/** The files of a site, as paths within it with forward slashes. */
export async function filesIn(site) {
  const entries = await readdir(site, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => relative(site, join(parentPath, name)).split(sep).join('/'))
}

/** Whether a site's copies were made as this build makes them. */
async function isOfCompression(site, { draft }) {
  try {
    const stamp = JSON.parse(await readFile(join(site, serverData, 'build.json'), 'utf8'))
    return stamp.compression === (await compressionName({ draft }))
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

function levelsOf(file) {
  const folder = dirname(file)
  if (folder === '.') return smallest
  if (folder === '_astro') return isLocalisedScript(basename(file)) ? small : smallest
  return folder.includes('/') ? many : small
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
