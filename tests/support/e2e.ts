import { test as base, expect } from 'playwright/test'
import type { PolicyOverrides } from '#server/config/policy-overrides.ts'
import { type BadNetwork, openBadNetwork } from './bad-network.ts'
import { listenToPage } from './page-audio.ts'
import { startTestServer, type TestServer } from './test-server.ts'

interface Workers {
  /** Additional environment variables of the server. Each different environment or policy starts another server. */
  environment: Readonly<Record<string, string>>
  policy: PolicyOverrides
  /** One server per worker. */
  farline: TestServer
}
interface Tests {
  /** What the server may log as an error while a story breaks something on purpose; any other error fails the story. */
  expectedErrors: readonly RegExp[]
  /** CSP violations and uncaught errors on all pages of the test. Must stay empty. */
  faults: string[]
}

/** Tests with a running server. Each asserts at its end that page and server had no faults, and that the books balance. */
export const test = base.extend<Tests, Workers>({
  environment: [{}, { scope: 'worker', option: true }],
  policy: [{}, { scope: 'worker', option: true }],
  farline: [
    async ({ environment, policy }, use) => {
      const server = await startTestServer({ environment, policy })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  expectedErrors: [[], { option: true }],
  baseURL: async ({ farline }, use) => use(farline.url),
  faults: [
    async ({ context, farline, expectedErrors }, use) => {
      const faults: string[] = []
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', event => {
          console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`)
        })
        // Keeps `Math.random` at 0.3 or above, so that no feedback prompt covers the page; feedback.test.ts sets its
        // own values.
        const draw = Math.random
        Math.random = () => 0.3 + draw() * 0.7
      })
      context.on('console', message => {
        if (message.text().includes('policy violation')) faults.push(message.text())
      })
      context.on('weberror', error => faults.push(String(error.error())))
      await listenToPage(context)
      await use(faults)
      // A request that is still on its way through a route would fail the story after its end.
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(faults).toEqual([])
      expect(await farline.findBreaches()).toEqual([])
      const isExpected = (line: string) => expectedErrors.some(pattern => pattern.test(line))
      expect(farline.newErrors().filter(line => !isExpected(line))).toEqual([])
    },
    { auto: true },
  ],
})

interface OverBadNetwork {
  network: BadNetwork
}

/** Tests with a network in between that the test can break. */
export const badLineTest = test.extend<OverBadNetwork>({
  network: async ({ farline }, use) => {
    const network = await openBadNetwork(farline.url)
    await use(network)
    await farline.loseSound(false)
    await network.close()
  },
  baseURL: async ({ network }, use) => use(network.url),
})

export { expect }
