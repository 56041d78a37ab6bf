import * as contract from '#lib/api/spending.ts'
import { testCall } from '#lib/api/test-call.ts'
import type { Services } from '../../context.ts'
import type { Mount } from '../../http/mount.ts'
import { changeCaps, findSpending, lockCountries } from './spending.ts'
import { findTestCall } from './test-call.ts'

const pressesPerMinute = 60

export function mountSpending(mount: Mount, services: Services): void {
  const limited = { perMinute: pressesPerMinute }
  mount(contract.getSpending, ({ userId }) => findSpending(services, userId))
  mount(
    contract.changeCaps,
    async ({ userId, body }) => {
      await changeCaps(services, userId, body)
      return findSpending(services, userId)
    },
    limited,
  )
  mount(
    contract.lockCountries,
    async ({ userId, body }) => {
      await lockCountries(services, userId, body)
      return findSpending(services, userId)
    },
    limited,
  )
  mount(testCall, ({ userId }) => findTestCall(services, userId))
}
