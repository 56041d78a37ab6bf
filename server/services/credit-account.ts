import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../db/port.ts'
import { announceBalance } from './announce.ts'
import type { Services } from './context.ts'
import { balanceOf, post } from './ledger.ts'
import { audit } from './operator/audit.ts'
import { findUserByEmail } from './users.ts'

export interface ManualCredit {
  /** Chosen by who asks, as a UUID: asked again with the same one, nothing more is credited. */
  readonly requestId: string
  readonly email: string
  readonly amountMicroUsd: number
  readonly reason: string
  /** Who does it: the operating system's user on this machine. */
  readonly actor: string
}

export type CreditRefusal = 'unknown_account' | 'invalid_amount' | 'missing_reason' | 'request_used'

/** The most an operator gives at once: more is a slip of the finger. */
const mostMicroUsd = 4_000_000_000

/**
 * Credits an account by hand, once per request, with its audit entry in the same transaction.
 * @returns the new balance in micro-dollars.
 */
export async function creditAccount(
  services: Services,
  credit: ManualCredit,
): Promise<Result<number, CreditRefusal>> {
  const { amountMicroUsd, reason, actor } = credit
  if (!Number.isSafeInteger(amountMicroUsd) || amountMicroUsd <= 0 || amountMicroUsd > mostMicroUsd) {
    return failure('invalid_amount')
  }
  if (reason.trim() === '') return failure('missing_reason')
  const user = await findUserByEmail(services.db, credit.email)
  if (user === undefined) return failure('unknown_account')
  const at = services.clock.now()
  const key = `adjustment:${credit.requestId}`
  const balance = await services.db.transaction(async tx => {
    if (await post(tx, { key, debit: 'adjustments', credit: user.account_id, amountMicroUsd, at })) {
      const detail = { key, amountMicroUsd, reason: reason.trim() }
      await audit(tx, { at, actor, action: 'credit', subject: user.id, detail })
    } else if (!(await stands(tx, key, user.account_id, amountMicroUsd))) {
      return undefined
    }
    return balanceOf(tx, user.account_id)
  })
  if (balance === undefined) return failure('request_used')
  // A page that was not told asks by itself; the credit stands either way.
  await announceBalance(services, user.id).catch(error =>
    services.log.warn({ err: error }, 'a new balance was not announced'),
  )
  return success(balance)
}

/** Whether the request that was made before asked for this very credit. */
async function stands(tx: Db, key: string, accountId: number, amountMicroUsd: number): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from transfer where key = $1 and credit_account = $2 and amount = $3',
    [key, accountId, amountMicroUsd],
  )
  return rows.length > 0
}
