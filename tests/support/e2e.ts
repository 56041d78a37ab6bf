import { test as base, expect } from 'playwright/test'
import { type BadNetwork, openBadNetwork } from './bad-network.ts'
import { listenToPage } from './page-audio.ts'
import { startTestServer, type TestServer } from './test-server.ts'

interface Workers {
  /** The server's environment beside the usual; another one is another server. */
  environment: Readonly<Record<string, string>>
  /** One server for the tests of a worker. */
  farline: TestServer
}
interface Tests {
  /** Violations of the security policy and uncaught errors of every page of the test: must stay empty. */
  faults: string[]
}

/** Tests with a running server; each asserts at its end that nothing was violated and the books balance. */
export const test = base.extend<Tests, Workers>({
  environment: [{}, { scope: 'worker', option: true }],
  farline: [
    async ({ environment }, use) => {
      const server = await startTestServer({ environment })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ farline }, use) => use(farline.url),
  faults: [
    async ({ context, farline }, use) => {
      const faults: string[] = []
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', event => {
          console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`)
        })
        // Chance asks nobody how a call was, over the next thing that a story does: feedback.test.ts draws its own.
        const draw = Math.random
        Math.random = () => 0.3 + draw() * 0.7
      })
      context.on('console', message => {
        if (message.text().includes('policy violation')) faults.push(message.text())
      })
      context.on('weberror', error => faults.push(String(error.error())))
      await listenToPage(context)
      await use(faults)
      expect(faults).toEqual([])
      expect(await farline.findBreaches()).toEqual([])
    },
    { auto: true },
  ],
})

interface OverBadNetwork {
  /** Between this test's browser and the server. */
  network: BadNetwork
}

/** The same with a network in between that the test can break. */
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
