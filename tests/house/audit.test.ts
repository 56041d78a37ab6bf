import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startStandIn } from '#support/stand-in-server.ts'
import { findFreePort } from '#support/test-server.ts'

const root = join(import.meta.dirname, '..', '..')
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A registry, as far as an audit uses it. @param known by package, in the shape of the bulk endpoint */
async function registry(known: Record<string, unknown>): Promise<string> {
  const server = await startStandIn((request, response) => {
    const bulk = request.url === '/-/npm/v1/security/advisories/bulk'
    response.writeHead(bulk ? 200 : 404, { 'content-type': 'application/json' })
    response.end(bulk ? JSON.stringify(known) : '{}')
  })
  open.push(server)
  return `http://${server.address}/`
}

const weakness = (name: string, severity: string) => ({
  [name]: [
    { id: 1, url: 'https://example.com/1', title: 'Lets anybody in', severity, vulnerable_versions: '*' },
  ],
})

async function audit(registryUrl: string): Promise<{ code: number; said: string }> {
  const cache = mkdtempSync(join(tmpdir(), 'farline-audit-'))
  const child = spawn(process.execPath, ['scripts/audit.mjs'], {
    cwd: root,
    env: { ...process.env, npm_config_registry: registryUrl, npm_config_cache: cache },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += String(text)))
  const [code] = await once(child, 'close')
  rmSync(cache, { recursive: true, force: true })
  return { code, said }
}

test('names a package of production with a weakness of level high, and fails', async () => {
  const { code, said } = await audit(await registry(weakness('fastify', 'high')))
  expect(said).toMatch(/fastify .*: high\. Lets anybody in https:\/\/example\.com\/1/)
  expect(code).toBe(1)
})

test.each([
  ['a lesser weakness', weakness('fastify', 'moderate')],
  ['a weakness of what tests alone use', weakness('vitest', 'critical')],
  ['nothing', {}],
])('passes with %s', async (_what, known) => {
  const { code, said } = await audit(await registry(known))
  expect([code, said]).toEqual([
    0,
    'No production package has a known vulnerability of level high or critical.\n',
  ])
})

test('says so where the registry cannot be asked, which is not the same as being well', async () => {
  const { code, said } = await audit(`http://127.0.0.1:${await findFreePort()}/`)
  expect([code, said]).toEqual([2, expect.stringContaining('The registry could not be reached.')])
})
