import type { Tariff } from '#lib/money/tariff.ts'
import type { CallPolicy, PaymentPolicy } from './config/policy.ts'
import type { Database } from './db/port.ts'
import type { Log } from './http/log.ts'
import type { Observer } from './observability/port.ts'
import type { Payments } from './payment-provider/port.ts'
import type { Clock } from './process/clock.ts'
import type { Random } from './process/random.ts'
import type { Keys } from './process/secret.ts'
import type { Notifier } from './realtime/notifier.ts'
import type { CallCosts } from './tariff/call-costs.ts'
import type { Telephony } from './telephony/port.ts'

/** Dependencies of every use case; nothing below reads a global. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly keys: Keys
  readonly tariff: Tariff
  /** The carrier's prices. */
  readonly costs: CallCosts
  readonly policy: CallPolicy
  readonly paymentPolicy: PaymentPolicy
  readonly telephony: Telephony
  readonly payments: Payments
  readonly notifier: Notifier
  readonly log: Log
  readonly observe?: Observer
  readonly publicUrl: string
  /** This process's name on the calls that it carries. */
  readonly nodeId: string
  readonly accessTokenSeconds: number
}
