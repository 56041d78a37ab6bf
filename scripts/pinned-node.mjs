// Whether the Node among the packages is the one that this release names. Everything here must run on Node 20.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'

/**
 * Compares a program with the hash in a file of `sha256sum`'s form. Reading it takes a third of a second, so a match is remembered
 * until the program changes, which its size, times and inode show.
 * @param memory the file that remembers; where it cannot be written, the program is read each time
 */
export function isPinnedNode(program, { hashFile, memory }) {
  const [pinned] = readFileSync(hashFile, 'utf8').split(' ')
  const { size, mtimeMs, ctimeMs, ino, dev } = statSync(program)
  const known = JSON.stringify({ pinned, size, mtimeMs, ctimeMs, ino, dev })
  if (readIfThere(memory) === known) return true
  if (hashOf(program) !== pinned) return false
  try {
    writeFileSync(memory, known)
  } catch {
    // The packages belong to somebody else, as in production.
  }
  return true
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** In pieces: the whole program has 127 MB. */
function hashOf(file) {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(1 << 20)
  const descriptor = openSync(file, 'r')
  try {
    for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece))
      hash.update(piece.subarray(0, size))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}
