// Runs a program of the checks on the repository's own Node, and reports how it ended.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { childEnvironment, root } from '../node24.mjs'
import { report } from './report.mjs'

/** Tests start hundreds of Node processes, and each would compile the same modules anew: a third of a second for a server. */
const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') }

/**
 * @param {string[]} args of Node
 * @param {{ silent?: boolean, env?: Record<string, string> }} [options]
 * @returns {Promise<{ status: number | null, printed: string }>} `printed` is empty unless `silent`
 */
export function run(args, { silent = false, env = {} } = {}) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', silent ? 'pipe' : 'inherit', silent ? 'pipe' : 'inherit'],
      env: childEnvironment({ ...compileCache, ...env }),
    })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => printed.push(chunk))
    child.on('close', status => resolve({ status, printed: Buffer.concat(printed).toString() }))
  })
}

function reportEnd(name, status) {
  if (status === 0) report({ passed: 1 })
  else report({ failed: [{ name, error: '' }] })
}

export async function check(name, args) {
  console.log(`\n> ${name}`)
  const { status } = await run(args)
  reportEnd(name, status)
}

/**
 * At most two at once; each prints when it is done.
 * @param {[name: string, args: string[]][]} checks
 */
export async function together(checks) {
  const waiting = [...checks]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, args] = next
      const startedAt = performance.now()
      const { status, printed } = await run(args, { silent: true })
      const seconds = (performance.now() - startedAt) / 1000
      console.log(`\n> ${name} (${seconds.toFixed(0)} s)\n${printed.trim()}`)
      reportEnd(name, status)
    }
  }
  await Promise.all([worker(), worker()])
}
