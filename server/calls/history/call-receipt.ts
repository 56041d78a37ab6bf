import type { CallReceipt } from '#lib/api/calls.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { transferKindOf, transferLabel } from '../../ledger/transfer-texts.ts'
import { type CallRow, presentCall } from '../rows.ts'
import { claimableNow } from '../settlement/credit.ts'

interface ChargeRow {
  readonly id: number
  readonly key: string
  /** Change of the user's balance; null if the transfer does not touch it. Micro-dollars. */
  readonly moved: number | null
  readonly amount_micro_usd: number
  readonly created_at: Date
}

export async function callReceiptOf(services: Services, row: CallRow): Promise<CallReceipt> {
  const { db } = services
  const { id, user_id: userId } = row
  const [user] = await db.query<{ email: string; free_call: string }>(
    'select email, free_call from app_user where id = $1',
    [userId],
  )
  if (user === undefined) throw new Error('a call without its user')
  const rows = await db.query<ChargeRow>(
    `select transfer.id, key, amount as amount_micro_usd, transfer.created_at,
       case own.id when credit_account then amount when debit_account then -amount end as moved
     from transfer join account own on own.user_id = $2 where call_id = $1 order by transfer.id`,
    [id, userId],
  )
  const given = rows.find(({ key }) => key.endsWith(':free'))
  return {
    call: presentCall(row),
    email: user.email,
    charges: rows.flatMap(charge => {
      if (charge.moved === null) return []
      const description = transferLabel(transferKindOf(charge.key, false), charge.key, charge.moved)
      return [
        {
          reference: referenceOf(charge),
          description,
          amount: microUsdToUsd(-charge.moved),
          at: charge.created_at.toISOString(),
        },
      ]
    }),
    gift:
      given === undefined
        ? null
        : { reference: referenceOf(given), worth: microUsdToUsd(given.amount_micro_usd) },
    // Answered, and still there: it was too short to count (ADR-63), and none has been used since.
    freeCallLeft:
      row.free && row.purpose !== 'test' && row.answered_at !== null && user.free_call === 'available',
    credit: await creditOf(db, id),
    claim: await claimOf(services, row),
  }
}

async function creditOf(db: Db, callId: string): Promise<CallReceipt['credit']> {
  const [row] = await db.query<{ amount_micro_usd: number; reason: 'short' | 'no_sound' | 'claim' }>(
    'select amount as amount_micro_usd, reason from call_credit where call_id = $1',
    [callId],
  )
  return row === undefined ? null : { amount: microUsdToUsd(row.amount_micro_usd), reason: row.reason }
}

async function claimOf(services: Services, row: CallRow): Promise<CallReceipt['claim']> {
  const claimable = await claimableNow(services.db, services, row)
  if (!claimable.ok) return null
  const { amountMicroUsd, until, usedUp } = claimable.value
  return { amount: microUsdToUsd(amountMicroUsd), until: until.toISOString(), usedUp }
}

const referenceOf = ({ id }: { readonly id: number }) => `L-${id}`
