import { expect, test } from 'vitest'
import type { Endpoint } from '#lib/api/endpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

/** A request that another site's page sends with a visitor's cookies is rejected everywhere (REL-52). */

const modules = import.meta.glob<Record<string, unknown>>('../../../src/lib/api/*.ts', { eager: true })
const endpoints = Object.values(modules).flatMap(module => Object.values(module).filter(isEndpoint))

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value
  )
}

const web = keepForFile(await createWeb())

const send = ({ method, path }: Endpoint, headers: Record<string, string>) =>
  web.app.inject({ method, url: path.replaceAll(/:\w+/g, 'some-id'), headers, payload: {} })

const changing = endpoints.filter(({ method }) => method !== 'GET')

test('the contract was found, and nothing that a cookie proves is a GET', () => {
  expect(changing.length).toBeGreaterThan(20)
  const byCookie = endpoints.filter(({ auth }) => auth === 'cookie')
  expect(byCookie.map(({ path }) => path)).toContain('/api/auth/refresh-token')
  expect(byCookie.filter(({ method }) => method === 'GET')).toEqual([])
})

const foreign = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:4321' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:4321.evil.example' },
]
const own = [
  { 'sec-fetch-site': 'same-origin' },
  { origin: 'http://localhost:4321' },
  { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4321' },
]

test.each(changing.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s is refused from another site, and not from ours',
  async (_, endpoint) => {
    for (const headers of foreign) {
      const answer = await send(endpoint, headers)
      expect([headers, answer.statusCode, answer.json().error?.code]).toEqual([
        headers,
        403,
        'forbidden_origin',
      ])
    }
    for (const headers of own) {
      const answer = await send(endpoint, headers)
      expect([headers, answer.body.includes('forbidden_origin')]).toEqual([headers, false])
    }
  },
)
