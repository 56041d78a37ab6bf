import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import { findUserByEmail, lockUser } from '../identity/users.ts'
import { balanceOf, post } from '../ledger/ledger.ts'
import { audit } from '../observability/audit.ts'
import { announceBalance } from '../realtime/announce-balance.ts'
import { lockLiveCalls, raiseLimits, sendRaisedLimitsOf } from '../spending/duration-limits.ts'

export interface ManualCredit {
  /** UUID chosen by the requester; a repeated id credits nothing more. */
  readonly requestId: string
  readonly email: string
  readonly amountMicroUsd: number
  readonly reason: string
  /** The operating system's user on this machine. */
  readonly actor: string
}

export type CreditRejection = 'unknown_account' | 'invalid_amount' | 'missing_reason' | 'request_used'

/** Max per adjustment; more is taken for a typing error. */
const maxMicroUsd = 4_000_000_000

/** Adjusts a balance once per request, with its audit entry. @returns the new balance in micro-dollars */
export async function creditAccount(
  services: Services,
  credit: ManualCredit,
): Promise<Result<number, CreditRejection>> {
  const { amountMicroUsd, reason, actor } = credit
  if (!Number.isSafeInteger(amountMicroUsd) || amountMicroUsd <= 0 || amountMicroUsd > maxMicroUsd) {
    return failure('invalid_amount')
  }
  if (reason.trim() === '') return failure('missing_reason')
  const user = await findUserByEmail(services.db, credit.email)
  if (user === undefined) return failure('unknown_account')
  const at = services.clock.now()
  const key = `adjustment:${credit.requestId}`
  const balance = await services.db.transaction(async tx => {
    // Lock order of payments: user, calls, account.
    await lockUser(tx, user.id)
    await lockLiveCalls(tx, user.id)
    if (await post(tx, { key, debit: 'adjustments', credit: user.account_id, amountMicroUsd, at })) {
      const detail = { key, amountMicroUsd, reason: reason.trim() }
      await audit(tx, { at, actor, action: 'credit', subject: user.id, detail })
      await raiseLimits(tx, services, user.id)
    } else if (!(await stands(tx, key, user.account_id, amountMicroUsd))) {
      return undefined
    }
    return balanceOf(tx, user.account_id)
  })
  if (balance === undefined) return failure('request_used')
  // Best effort: a page that gets no event asks by itself.
  await Promise.all([announceBalance(services, user.id), sendRaisedLimitsOf(services, user.id)]).catch(
    error => services.log.warn({ err: error }, 'could not publish the balance after an adjustment'),
  )
  return success(balance)
}

/** Whether the earlier request was for this same credit. */
async function stands(tx: Db, key: string, accountId: number, amountMicroUsd: number): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from transfer where key = $1 and credit_account = $2 and amount = $3',
    [key, accountId, amountMicroUsd],
  )
  return rows.length > 0
}
