import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publicUrlOf } from './public-url.mjs'

/** With a trailing slash. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url))

const sources = [
  'src',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'scripts/build',
  'scripts/fingerprint.mjs',
  'scripts/public-url.mjs',
  'scripts/sbom.mjs',
  'scripts/site.mjs',
]

/**
 * A hash of everything that the built site depends on: the content of its sources, its public address, the other PUBLIC_
 * variables, and ALL_LANGUAGES. Not modification times, which a fresh clone or a branch switch changes.
 */
export function sourcesFingerprint(root = projectRoot, env = process.env) {
  const hash = createHash('sha256')
  for (const source of sources) addEntry(hash, root, source)
  hash.update(`\0${publicUrlOf(env)}`)
  const names = Object.keys(env).filter(
    name => (name.startsWith('PUBLIC_') && name !== 'PUBLIC_URL') || name === 'ALL_LANGUAGES',
  )
  for (const name of names.sort((one, other) => (one < other ? -1 : 1))) hash.update(`\0${name}=${env[name]}`)
  return hash.digest('hex')
}

/** @param {string} path relative to the root */
function addEntry(hash, root, path) {
  const absolute = join(root, path)
  let names
  try {
    names = readdirSync(absolute).sort()
  } catch (error) {
    if (error.code !== 'ENOTDIR' && error.code !== 'ENOENT') throw error
  }
  if (/\.test\.tsx?$/.test(path)) return
  if (names) for (const name of names) addEntry(hash, root, `${path}/${name}`)
  else hash.update(`\0${path}\0`).update(contentOf(absolute))
}

function contentOf(file) {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}
