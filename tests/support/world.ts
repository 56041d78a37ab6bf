import type { BalanceEvent, CallErrorEvent, CallEvent } from '#lib/api/realtime.ts'
import type { VerificationEvent } from '#lib/api/verification.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { register } from '#server/accounts/registration/register.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { defaultPaymentPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import type { MigratableDatabase } from '#server/db/port.ts'
import { createLog } from '#server/http/log.ts'
import { defaultAccessTokenSeconds } from '#server/identity/access-token.ts'
import { findUserByEmail, type UserRow } from '#server/identity/users.ts'
import { systemRandom } from '#server/process/random.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { readCosts } from '#server/tariff/costs-file.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import type { CallControl } from '#server/telephony/port.ts'
import { type Engine, openFreshDatabase, projectEngine } from './engine.ts'
import { createStoppedClock, type MovableClock } from './movable-clock.ts'
import { createSimulatedProvider, type SimulatedProvider } from './payments-provider.ts'
import { createSimulatedNetwork, type SimulatedNetwork } from './simulated-network.ts'
import { widePolicy } from './wide-policy.ts'

/** What every world derives its keys from. */
export const worldSecret = 'a secret that only the tests know, and that is long enough'

export type Notice =
  | { kind: 'balance'; userId: string; event: BalanceEvent }
  | { kind: 'call'; userId: string; event: CallEvent }
  | { kind: 'call_error'; userId: string; event: CallErrorEvent }
  | { kind: 'verification'; userId: string; event: VerificationEvent }

/** The real services over a real database, with a stopped clock and a simulated network. */
export interface World {
  readonly db: MigratableDatabase
  /** DATABASE_URL; undefined on the embedded database. */
  readonly databaseUrl: string | undefined
  /** DATA_DIR; undefined on PostgreSQL. */
  readonly dataDirectory: string | undefined
  readonly clock: MovableClock
  readonly network: SimulatedNetwork
  readonly provider: SimulatedProvider
  readonly services: Services
  readonly control: CallControl
  /** Events published to pages, oldest first. */
  readonly notices: Notice[]
  /** Adds a user with a confirmed address. */
  addUser(options?: { credit?: number; freeCall?: 'available' | 'used' }): Promise<UserRow>
  close(): Promise<void>
}

export interface WorldOptions {
  /** The database engine; default: that of the current Vitest project. Required outside tests. */
  readonly engine?: Engine | undefined
  readonly publicUrl?: string | undefined
}

export async function createWorld({
  engine,
  publicUrl = 'http://localhost:4321',
}: WorldOptions = {}): Promise<World> {
  const clock = createStoppedClock()
  const database = await openFreshDatabase(engine ?? (await projectEngine()), clock.now())
  const { db } = database
  const network = createSimulatedNetwork()
  const provider = createSimulatedProvider()
  const notices: Notice[] = []
  const services: Services = {
    db,
    clock,
    random: systemRandom,
    keys: deriveKeys(worldSecret),
    tariff: readTariff(),
    costs: readCosts(),
    policy: widePolicy(),
    paymentPolicy: defaultPaymentPolicy,
    telephony: network,
    payments: provider,
    notifier: {
      balance: (userId, event) => notices.push({ kind: 'balance', userId, event }),
      call: (userId, event) => notices.push({ kind: 'call', userId, event }),
      callError: (userId, event) => notices.push({ kind: 'call_error', userId, event }),
      verification: (userId, event) => notices.push({ kind: 'verification', userId, event }),
    },
    log: createLog('silent'),
    publicUrl,
    nodeId: 'the-only-process',
    accessTokenSeconds: defaultAccessTokenSeconds,
  }
  let people = 0
  return {
    db,
    databaseUrl: database.url,
    dataDirectory: database.dataDirectory,
    clock,
    network,
    provider,
    services,
    control: createCallControl(services),
    notices,
    addUser: async ({ credit = 0, freeCall = 'used' } = {}) => {
      people += 1
      const email = `person-${people}@example.com`
      await register(services, { email, password: 'correct horse battery' })
      await db.query('update app_user set email_verified_at = $2, free_call = $3 where email = $1', [
        email,
        clock.now(),
        freeCall,
      ])
      if (credit > 0) {
        const amountMicroUsd = usdToMicroUsd(credit)
        await creditAccount(services, {
          requestId: systemRandom.uuid(),
          email,
          amountMicroUsd,
          reason: 'a test',
          actor: 'test',
        })
      }
      const user = await findUserByEmail(db, email)
      if (user === undefined) throw new Error('the user was not created')
      return user
    },
    close: () => database.close(),
  }
}
