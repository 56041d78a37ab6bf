import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's directory, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/** What the built site is made from: folders and files, relative to the project. */
const sources = [
  'src',
  'public',
  'astro.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'scripts/csp-hashes.mjs',
  'scripts/fingerprint.mjs',
  'scripts/hoist-styles.mjs',
  'scripts/inline-scripts.mjs',
  'scripts/precompress.mjs',
  'scripts/sbom.mjs',
  'scripts/service-worker.mjs',
  'scripts/share-scripts.mjs',
  'scripts/site.mjs',
  'scripts/slim-icons.mjs',
  'scripts/trim-css.mjs',
]

/**
 * A hash of everything that the built site depends on: the content of its sources, and the
 * environment variables that reach its pages (PUBLIC_URL and whatever else starts with PUBLIC_).
 * Content rather than times of change, which a fresh clone or a branch switch alters for nothing.
 * @param {string} [root] the project's directory
 * @param {NodeJS.ProcessEnv} [env]
 */
export function sourcesFingerprint(root = projectRoot, env = process.env) {
  const hash = createHash('sha256')
  for (const source of sources) addEntry(hash, root, source)
  const names = Object.keys(env).filter(name => name.startsWith('PUBLIC_'))
  for (const name of names.sort((one, other) => (one < other ? -1 : 1))) hash.update(`\0${name}=${env[name]}`)
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path relative to the root
 */
function addEntry(hash, root, path) {
  const absolute = join(root, path)
  let names
  try {
    names = readdirSync(absolute).sort()
  } catch (error) {
    if (error.code !== 'ENOTDIR' && error.code !== 'ENOENT') throw error
  }
  if (names) for (const name of names) addEntry(hash, root, `${path}/${name}`)
  else hash.update(`\0${path}\0`).update(contentOf(absolute))
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}
