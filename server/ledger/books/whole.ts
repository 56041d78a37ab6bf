import type { Db } from '../../db/port.ts'
import type { Breach } from './check.ts'
import { checks } from './checks.ts'
import { createBooksTurn } from './turn.ts'
import { allByName, callsFrom, transfersAfter } from './walks.ts'

export interface BooksCheck {
  readonly transfers: number
  readonly breaches: readonly Breach[]
}

/** Read-only and in small batches: the invariants hold in each statement's snapshot, and nothing is blocked. */
export async function checkBooks(db: Db): Promise<BooksCheck> {
  const turn = createBooksTurn(db, checks)
  let transfers = 0
  for await (const page of transfersAfter(db, 0, turn.size)) {
    transfers += page.length
    await turn.check(
      'transfer',
      page.map(({ id }) => String(id)),
    )
  }
  await turn.walk('call', size => callsFrom(db, new Date(0), size))
  await turn.walk('payment', size => allByName(db, 'payment', 'id', size))
  await turn.walk('referral', size => allByName(db, 'referral', 'referee_id', size))
  await turn.walk('account', size => allByName(db, 'account', 'id', size))
  return { transfers, breaches: turn.breaches() }
}
