// @module-tag one-engine
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { voiceClientHosts } from '#server/telephony/twilio/browser-hosts.ts'
import { siteDirectory } from '#support/built-site.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, type Web } from '#support/web.ts'

const { twilio } = readConfig({
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_API_KEY: `SK${'0'.repeat(32)}`,
  TWILIO_API_SECRET: 'secret',
  TWILIO_APP_SID: `AP${'0'.repeat(32)}`,
  TWILIO_NUMBER: '+14155550100',
  TWILIO_API_URL: 'http://127.0.0.1:9',
})

const publicUrl = 'https://farline.example'
const withVendor = keepForFile(await createWeb({ siteDirectory, publicUrl, twilio }))
const without = keepForFile(await createWeb({ siteDirectory, publicUrl }))

/** The sources of each directive. */
async function policyOf(web: Web, url: string): Promise<ReadonlyMap<string, string>> {
  const { headers } = await web.app.inject({ url })
  return new Map(
    String(headers['content-security-policy'])
      .split(';')
      .map(directive => {
        const [name = '', ...sources] = directive.trim().split(' ')
        return [name, sources.join(' ')]
      }),
  )
}

test.each(['/call', '/call.html', '/call?number=%2B14155550123'])(
  'the dialler at %s may reach the voice vendor, for its signalling and nothing else',
  async url => {
    const policy = await policyOf(withVendor, url)
    const own = "'self' wss://farline.example"
    expect(policy.get('connect-src')).toBe(`${own} ${voiceClientHosts.join(' ')}`)
    const named = [...policy].filter(([, sources]) => sources.includes('twilio')).map(([name]) => name)
    expect(named).toEqual(['connect-src'])
    expect((await policyOf(without, url)).get('connect-src')).toBe(own)
  },
)

test.each(['/', '/call-history', '/call/nowhere', '/calling/in', '/callx', '/api/rates/US', '/buy-credits'])(
  '%s carries nothing of the vendor: its policy is the same with and without',
  async url => {
    expect(await policyOf(withVendor, url)).toEqual(await policyOf(without, url))
  },
)

test.each(['/', '/call', '/nowhere', '/api/rates/US'])(
  '%s accepts no text as HTML or as a script, and has violations reported',
  async url => {
    const policy = await policyOf(without, url)
    expect(policy.get('require-trusted-types-for')).toBe("'script'")
    expect(policy.get('report-uri')).toBe('/api/csp')
  },
)

test("every public edge that the vendor's client knows may be reached, and each host is named in full", () => {
  const regions = fileURLToPath(import.meta.resolve('@twilio/voice-sdk')).replace(
    /(@twilio\/voice-sdk)\/.*/,
    '$1/esm/twilio/regions.js',
  )
  const code = readFileSync(regions, 'utf8')
  const edges = [...code.matchAll(/Edge\["\w+"\] = "([a-z-]+)"/g)].map(match => match[1] ?? '')
  const open = edges.filter(edge => !edge.endsWith('-ix'))
  expect(open).toContain('roaming')
  expect(new Set(voiceClientHosts)).toEqual(new Set(open.map(edge => `wss://voice-js.${edge}.twilio.com`)))
})
