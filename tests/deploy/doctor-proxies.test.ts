import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { checkAddress } from '#server/doctor/address.ts'
import { nginxIsMissing } from '#support/nginx.ts'
import { createWeb } from '#support/web.ts'
import { worldSecret } from '#support/world.ts'
import { found } from '../server/doctor/examine.ts'
import { createFronts } from './behind-nginx.ts'

const site = mkdtempSync(join(tmpdir(), 'farline-nginx-site-'))
afterAll(() => rmSync(site, { recursive: true, force: true }))

describe.skipIf(nginxIsMissing())('the doctor compares TRUSTED_PROXIES with what proxies really send', () => {
  const { open, standIn, nginx, close } = createFronts(site)
  afterEach(close)

  const checked = async (port: number | string, trustedProxies: number, tokenSecret: string | undefined) => {
    const publicUrl = `http://127.0.0.1:${port}`
    const findings = await found(checkAddress({ publicUrl, production: true, trustedProxies, tokenSecret }))
    expect(findings[0]).toBe(`ok: ${publicUrl} answers.`)
    return findings.slice(1)
  }

  test('behind none, one and two that add to the header', async () => {
    const web = await createWeb({ production: true })
    open.push(web)
    const direct = new URL(await web.app.listen({ port: 0, host: '127.0.0.1' }))
    const one = await nginx([direct.host])
    const two = await nginx([`127.0.0.1:${one.port}`])
    const passed = (count: string) => `A request from here had ${count} added to X-Forwarded-For by proxies`
    expect(await checked(direct.port, 0, worldSecret)).toEqual([
      `ok: ${passed('0 addresses')}, and TRUSTED_PROXIES is 0.`,
    ])
    expect(await checked(one.port, 1, worldSecret)).toEqual([
      `ok: ${passed('1 address')}, and TRUSTED_PROXIES is 1.`,
    ])
    expect(await checked(one.port, 2, worldSecret)).toEqual([
      `warning: ${passed('1 address')}, but TRUSTED_PROXIES is 2: a visitor can choose the address that limits count.`,
    ])
    expect(await checked(two.port, 1, worldSecret)).toEqual([
      `warning: ${passed('2 addresses')}, but TRUSTED_PROXIES is 1: all visitors count as one, with the address of a proxy.`,
    ])
    // Strangers are told nothing.
    expect(await checked(one.port, 2, 'another secret, which is long enough as well')).toEqual([])
    expect(await checked(one.port, 2, undefined)).toEqual([])
  })

  test('behind one that replaces the header, so that nothing which a visitor wrote arrives', async () => {
    const web = await createWeb({ production: true })
    open.push(web)
    const direct = await web.app.listen({ port: 0, host: '127.0.0.1' })
    const proxy = await standIn(async (request, response) => {
      const headers = { ...(request.headers as Record<string, string>), 'x-forwarded-for': '203.0.113.9' }
      const answer = await fetch(`${direct}${request.url}`, { headers })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const { port } = new URL(`http://${proxy.address}`)
    expect((await checked(port, 2, worldSecret)).join()).toMatch(/^ok: .* 1 address added/)
    expect((await checked(port, 0, worldSecret)).join()).toMatch(/^warning: .* all visitors count as one/)
  })
})
