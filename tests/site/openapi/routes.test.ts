// @module-tag one-engine
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { openApiDocument } from '#lib/openapi/document.ts'
import { createWeb } from '#support/web.ts'

/** What a production server mounts and the document leaves out, and why. */
const undocumented: readonly (readonly [route: RegExp, why: string])[] = [
  [/^\/api\/webhooks\//, 'providers alone post there, in their own words'],
  [/^\/api\/auth\/google\//, 'a browser is sent there; programs cannot sign in by it'],
  [/^\/api\/gifts\/(look-up|redeem)$/, 'for a person with an envelope; each try of a code is counted'],
  [/^\/api\/ops(\/|$)/, "the operator's own, and no promise to anybody"],
  [/^\/ops(\/|$)/, "the operator's own pages"],
  [/^\/api\/csp$/, 'browsers alone post there, as their standard has it'],
  [/^\/(healthz|readyz|metrics)$/, 'for those who run it: docs/operating'],
  [/^\/\.well-known\//, 'files for those who look for them by their own standards'],
  [/^\*$/, 'the files of the built site'],
]

/** Fastify says on this channel that an application is being made, before anything is mounted on it. */
const made = 'fastify.initialization'

/** `GET /api/calls/:id` for each route of the application, as it is mounted in production. */
async function mountedRoutes(): Promise<ReadonlySet<string>> {
  const routes = new Set<string>()
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD' && one !== 'OPTIONS') routes.add(`${one} ${url}`)
    })
  }
  subscribe(made, listen)
  const web = await createWeb({ production: true }).finally(() => unsubscribe(made, listen))
  await web.close()
  return routes
}

test('what a production server mounts is in the document, and nothing else is', async () => {
  const documented = new Set(
    Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    ),
  )
  const mounted = [...(await mountedRoutes())].filter(route => {
    const [, path = ''] = route.split(' ')
    return !undocumented.some(([pattern]) => pattern.test(path))
  })
  expect(mounted.length).toBeGreaterThan(40)
  expect(mounted.filter(route => !documented.has(route))).toEqual([])
  // Files of the built site are no routes.
  const files = ['GET /rates.json', 'GET /rates.csv', 'GET /tariff.csv']
  expect([...documented].filter(route => !mounted.includes(route))).toEqual(files)
})
