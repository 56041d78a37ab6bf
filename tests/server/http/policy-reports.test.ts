// @module-tag one-engine
import { expect, test, vi } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWatched } from '../observability/watched.ts'

const watched = keepForFile(await createWatched())

const report = (fields: object, remoteAddress = '203.0.113.5', type = 'application/csp-report') =>
  watched.app.inject({
    method: 'POST',
    url: '/api/csp',
    headers: { 'content-type': type },
    payload: JSON.stringify({ 'csp-report': fields }),
    remoteAddress,
  })
const counted = () => watched.metric('farline_security_events_total{event="policy_violated"}')
const refusedScript = {
  'effective-directive': 'script-src-elem',
  'blocked-uri': 'https://elsewhere.example/a.js?who=ada',
  'document-uri': 'https://farline.example/call/+442079460958?number=%2B442079460958',
}

test('a report is counted and written down, without what an address may hold', async () => {
  const warned = vi.spyOn(watched.services.log, 'warn')
  const before = await counted()
  expect((await report(refusedScript)).statusCode).toBe(204)
  expect((await report({ ...refusedScript, 'blocked-uri': 'inline' })).statusCode).toBe(204)
  expect((await report({ ...refusedScript, 'blocked-uri': 'data' })).statusCode).toBe(204)
  expect(await counted()).toBe(before + 3)
  const network = expect.any(String)
  const event = { securityEvent: 'policy_violated', network, directive: 'script-src-elem', page: '/call' }
  expect(warned.mock.calls.map(([details]) => details)).toEqual([
    { ...event, blocked: 'https://elsewhere.example' },
    { ...event, blocked: 'inline' },
    { ...event, blocked: 'data' },
  ])
  warned.mockRestore()
})

test('extensions of browsers are no trouble of ours', async () => {
  const before = await counted()
  for (const blocked of ['chrome-extension', 'moz-extension://0b7a/a.js', 'safari-web-extension://1/a.js'])
    expect((await report({ ...refusedScript, 'blocked-uri': blocked }, '203.0.113.6')).statusCode).toBe(204)
  expect(await counted()).toBe(before)
})

test('rejects what is no report, too long, or too much', async () => {
  const from = '203.0.113.7'
  expect((await report({ 'blocked-uri': 'inline' }, from)).statusCode).toBe(400)
  expect((await report(refusedScript, from, 'text/plain')).statusCode).toBe(400)
  expect((await report({ ...refusedScript, more: 'x'.repeat(9000) }, from)).statusCode).toBe(413)
  for (let sent = 0; sent < 10; sent += 1) await report(refusedScript, from)
  expect((await report(refusedScript, from)).statusCode).toBe(429)
  expect((await report(refusedScript, '203.0.113.8')).statusCode).toBe(204)
})
