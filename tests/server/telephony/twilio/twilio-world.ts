import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { restrictAccount } from '#server/admin/restrict.ts'
import { carrierBooks, createCallControl } from '#server/calls/carrier/control.ts'
import type { CallRow } from '#server/calls/rows.ts'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import type { Observation } from '#server/observability/port.ts'
import { createTwilio, type Twilio } from '#server/telephony/twilio/adapter.ts'
import { identityOf } from '#server/telephony/twilio/identity.ts'
import { openApp } from '#support/app.ts'
import { type FakeTwilio, startFakeTwilio } from '#support/fake-twilio/fake-twilio.ts'
import { createWorld, type World } from '#support/world.ts'

export const publicUrl = 'https://farline.example'
/** 0.02 USD a minute. */
export const american = '+12125550123'

/** The real services and routes on the vendor's network, of which the fake is the other end. */
export interface TwilioWorld extends Omit<World, 'network' | 'control'> {
  readonly fake: FakeTwilio
  readonly twilio: Twilio
  /** Where our webhooks are really found. */
  readonly serverUrl: string
  /** What was logged, a line of JSON each. */
  readonly logged: readonly string[]
  /** What was noticed for the metrics. */
  readonly observed: readonly Observation[]
  /** How long was paused before each repeated request, in milliseconds. */
  readonly pauses: readonly number[]
  /** A user's browser calls, and all its events have been applied. */
  call(
    userId: string,
    to?: string,
    custom?: { CallerId?: string; Attempt?: string; Purpose?: string; Free?: string; Rate?: string },
  ): Promise<string>
  /** Waits until all the carrier's reports have been applied. */
  settled(): Promise<void>
  /** The user's calls, oldest first. */
  calls(userId: string): Promise<CallRow[]>
  /** The only call of a user. */
  theCall(userId: string): Promise<CallRow>
  /** In millionths of a dollar. */
  balanceOf(userId: string): Promise<number | undefined>
  /** As an operator does. */
  block(userId: string): Promise<void>
  /** Time passes, also for the vendor. */
  passTime(ms: number): Promise<void>
  /** No number that was called and no secret was logged. */
  expectNoSecretLogged(): void
  /** Everything that we asked of the vendor was as it documents it. */
  expectSound(): Promise<void>
}

/** @param options attemptMs: how long one answer of the vendor's is waited for */
export async function createTwilioWorld(
  options: { appStatus?: boolean; fallback?: boolean; attemptMs?: number } = {},
): Promise<TwilioWorld> {
  const world = await createWorld({ publicUrl })
  const { clock } = world
  const logged: string[] = []
  const log = createLog('trace', { write: line => void logged.push(line) })
  const server = { url: '' }
  const fake = await startFakeTwilio({
    clock,
    publicUrl,
    deliverTo: path => server.url + path,
    appStatus: options.appStatus ?? false,
    fallback: options.fallback ?? false,
  })
  const pauses: number[] = []
  const twilio = createTwilio(fake.settings, {
    clock,
    random: world.services.random,
    log,
    publicUrl,
    books: carrierBooks(world.db),
    retryPolicy: { attemptMs: options.attemptMs ?? 8000, wholeMs: 60_000, pauseMs: 250 },
    pause: async ms => void pauses.push(ms),
  })
  const observed: Observation[] = []
  const services: Services = {
    ...world.services,
    telephony: twilio,
    log,
    observe: seen => void observed.push(seen),
  }
  twilio.open(createCallControl(services))
  const app = await openApp({
    config: { production: true },
    services,
    log,
    twilio,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  server.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const settled = () => fake.webhooks.settled()
  const calls = (userId: string) =>
    world.db.query<CallRow>('select * from call where user_id = $1 order by placed_at, id', [userId])
  return {
    ...world,
    services,
    fake,
    twilio,
    serverUrl: server.url,
    logged,
    observed,
    pauses,
    settled,
    calls,
    call: async (userId, to = american, custom = {}) => {
      const { sid } = await fake.switchboard.connect(identityOf(userId), { To: to, ...custom })
      await settled()
      return sid
    },
    theCall: async userId => {
      const [call, other] = await calls(userId)
      if (call === undefined || other !== undefined) throw new Error('not one call')
      return call
    },
    balanceOf: async userId => {
      const [account] = await world.db.query<{ balance: number }>(
        'select balance from account where user_id = $1',
        [userId],
      )
      return account?.balance
    },
    block: async userId => {
      const [user] = await world.db.query<{ email: string }>('select email from app_user where id = $1', [
        userId,
      ])
      const email = user?.email ?? ''
      const blocked = await restrictAccount(services, 'block', {
        email,
        reason: 'Spam calls.',
        actor: 'operator',
      })
      if (!blocked.ok) throw new Error(blocked.code)
    },
    passTime: async ms => {
      clock.advance(ms)
      fake.switchboard.tick()
      await settled()
    },
    expectNoSecretLogged: () => {
      const text = logged.join('\n')
      expect(text).toContain('incoming request')
      const { authToken, apiSecret } = fake.settings
      for (const secret of ['2071838750', '2125550123', authToken, apiSecret]) {
        expect(text).not.toContain(secret)
      }
    },
    expectSound: async () => {
      expect(fake.faults).toEqual([])
      const failed = fake.webhooks.delivered.filter(({ status }) => status >= 400 || status === 0)
      expect(failed).toEqual([])
    },
    close: async () => {
      await fake.close()
      await app.close()
      await world.close()
    },
  }
}
