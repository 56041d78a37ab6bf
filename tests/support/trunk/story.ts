import { test as base } from '../e2e.ts'
import { startTestServer } from '../test-server.ts'
import { trunkIsMissing } from './edge.ts'
import type { TrunkLab } from './lab.ts'
import type { Telephone } from './telephone.ts'

export interface StoryTrunk {
  readonly lab: TrunkLab
  /** Behind the carriers. */
  readonly telephone: Telephone
  close(): Promise<void>
}

/** Tests with a server whose calls leave over the trunks of a lab, one for each worker. */
export function overTrunks(open: () => Promise<StoryTrunk>) {
  const test = base.extend<object, { trunk: StoryTrunk }>({
    trunk: [
      // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other one
      async ({}, use) => {
        const trunk = await open()
        await use(trunk)
        await trunk.close()
      },
      { scope: 'worker' },
    ],
    farline: [
      async ({ trunk }, use) => {
        const server = await startTestServer({
          environment: { TELEPHONY: 'trunk', TRUNK_FILE: trunk.lab.file },
        })
        await use(server)
        await server.close()
      },
      { scope: 'worker' },
    ],
  })
  test.skip(trunkIsMissing, 'Kamailio, rtpengine or SIPp is not installed.')
  return test
}
