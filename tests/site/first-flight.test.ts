// @module-tag one-engine
import { expect, test } from 'vitest'
import { readBuiltSite, siteDirectory } from '#support/built-site.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

/** What a server may send before it hears from the browser again: ten packets of 1460 octets (RFC 6928). */
const firstFlightOctets = 10 * 1460
/** What inject leaves out: the lines that a connection adds to every answer. */
const connectionLines = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=72\r\n\r\n'

readBuiltSite()
const web = keepForFile(await createWeb({ siteDirectory, production: true }))

test('the landing arrives in the first flight of a connection, headers and all', async () => {
  const answer = await web.app.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
  expect(answer.headers['content-encoding']).toBe('br')
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const headers = Buffer.byteLength(lines.join('') + connectionLines)
  expect(answer.rawPayload.length + headers).toBeLessThanOrEqual(firstFlightOctets)
})
