import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
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

/** Below this many bytes a file fits one packet whatever is done to it. */
const smallestWorthwhile = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Writes a brotli (`.br`) and a gzip (`.gz`) copy beside each text file above 1 KB, at their best levels.
 * @param {string} directory
 * @returns {Promise<number>} how many files got their copies
 */
export async function precompress(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile() && compressible.has(extname(entry.name)))
    .map(entry => join(entry.parentPath, entry.name))
  const done = await Promise.all(files.map(compress))
  return done.filter(Boolean).length
}

/** @param {string} file */
async function compress(file) {
  const content = await readFile(file)
  if (content.length <= smallestWorthwhile) return false
  const [small, fair] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    zip(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, fair)])
  return true
}
