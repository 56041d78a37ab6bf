import { describe, expect, test } from 'vitest'
import { defaultPaymentPolicy } from '#server/config/policy.ts'
import { autoTopUpLimit } from '#server/payments/auto-top-up/auto-top-up-limits.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { spend } from './buyer.ts'
import { addCustomer, callOnce, knowPaid, mailsTo, runAll, topUpsOf, userOf } from './top-up-customer.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs
const at = new Date('2030-06-15T12:00:00Z')
const world = keepForFile(await createWorld())
knowPaid(world)
const ago = (ms: number) => new Date(at.getTime() - ms)

/** PD-59. */
describe('how often the card is charged', () => {
  const { tiers } = defaultPaymentPolicy.autoTopUp
  test.each([
    ['never_paid', 0, 0, 'per_day'],
    ['newly_paid', 0, 0, undefined],
    ['newly_paid', 0, 1, 'per_day'],
    ['established', 0, 0, undefined],
    ['established', 1, 1, 'per_hour'],
    ['established', 0, 2, undefined],
    ['established', 0, 3, 'per_day'],
  ] as const)('%s, %i in the hour, %i in the day: %s', (tier, lastHour, lastDay, limit) => {
    expect(autoTopUpLimit(tiers[tier], { at, lastHour, lastDay, failedAt: null })).toBe(limit)
  })

  test('not within an hour of a charge that failed', () => {
    const none = { at, lastHour: 0, lastDay: 0 }
    expect(autoTopUpLimit(tiers.established, { ...none, failedAt: ago(hourMs - 1) })).toBe('failed_lately')
    expect(autoTopUpLimit(tiers.established, { ...none, failedAt: ago(hourMs) })).toBeUndefined()
  })
})

describe('a customer', () => {
  /** Spends all but $2, and a call then brings the balance below the threshold. @returns how many charges there were by then */
  async function runLow(userId: string): Promise<number> {
    const user = await userOf(world, userId)
    if (user.balance > 2_000_000) await spend(world, user, user.balance / 1_000_000 - 2)
    await callOnce(world, userId)
    await runAll(world.services)
    return (await topUpsOf(world, userId)).length
  }

  test('of the first days is topped up once a day, and told once why no more', async () => {
    const { id, email } = await addCustomer(world)
    expect(await runLow(id)).toBe(1)
    expect(await runLow(id)).toBe(1)
    expect(await runLow(id)).toBe(1)
    const mails = (await mailsTo(world, email)).filter(
      ({ subject }) => subject === 'Auto top-up has reached its limit for now',
    )
    expect(mails).toHaveLength(1)
    expect(world.notices.filter(({ userId }) => userId === id)).toContainEqual({
      kind: 'balance',
      userId: id,
      event: { credits: 1.98, notice: expect.stringContaining('Buy credits') },
    })
    world.clock.advance(dayMs)
    expect(await runLow(id)).toBe(2)
  })

  test('in the established tier is topped up once an hour, three times a day', async () => {
    const { id } = await addCustomer(world, { usd: 25 })
    world.clock.advance(7 * dayMs)
    expect(await runLow(id)).toBe(1)
    expect(await runLow(id)).toBe(1)
    world.clock.advance(hourMs)
    expect(await runLow(id)).toBe(2)
    world.clock.advance(hourMs)
    expect(await runLow(id)).toBe(3)
    world.clock.advance(hourMs)
    expect(await runLow(id)).toBe(3)
    world.clock.advance(21 * hourMs)
    expect(await runLow(id)).toBe(4)
  })
})
