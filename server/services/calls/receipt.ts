import type { CallReceipt, CallRecord } from '#lib/api/calls.ts'
import { microUsdToUsd } from '#lib/rules/money.ts'
import { transferKindOf, transferWords } from '#lib/rules/transfers.ts'
import type { Db } from '../../db/port.ts'

interface ChargeRow {
  readonly id: number
  readonly key: string
  /** As the caller's balance sees it; null where it touches none. Micro-dollars. */
  readonly moved: number | null
  readonly amount: number
  readonly created_at: Date
}

/** An ended call as a receipt: with what it moved in the ledger, each transfer by its number there. */
export async function callReceiptOf(db: Db, userId: string, call: CallRecord): Promise<CallReceipt> {
  const [user] = await db.query<{ email: string }>('select email from app_user where id = $1', [userId])
  if (user === undefined) throw new Error('a call without its user')
  const rows = await db.query<ChargeRow>(
    `select transfer.id, key, amount, transfer.created_at,
       case own.id when credit_account then amount when debit_account then -amount end as moved
     from transfer join account own on own.user_id = $2 where call_id = $1 order by transfer.id`,
    [call.id, userId],
  )
  const given = rows.find(({ key }) => key.endsWith(':free'))
  return {
    call,
    email: user.email,
    charges: rows.flatMap(row => {
      if (row.moved === null) return []
      const words = transferWords(transferKindOf(row.key, false), row.key, row.moved)
      return [
        {
          reference: referenceOf(row),
          words,
          amount: microUsdToUsd(-row.moved),
          at: row.created_at.toISOString(),
        },
      ]
    }),
    gift: given === undefined ? null : { reference: referenceOf(given), worth: microUsdToUsd(given.amount) },
  }
}

const referenceOf = ({ id }: ChargeRow) => `L-${id}`
