import { dayMs, hourMs, minuteMs } from '#lib/time.ts'
import type { Db } from '../../db/port.ts'
import type { Clock } from '../../process/clock.ts'
import type { Subject } from './check.ts'
import { balancesSince, checks } from './checks.ts'
import { type BooksTurn, createBooksTurn } from './turn.ts'
import { allByName, callsFrom, distinct, inPages, transfersAfter } from './walks.ts'
import type { BooksCheck } from './whole.ts'

/** A transfer of this age is visible to all, and so are all with smaller ids. Milliseconds. */
export const settledAfterMs = 10 * minuteMs
/** Max time from placing a call to its settlement. */
const longestCallMs = 26 * hourMs
/** Payments and decisions are checked again for this long. */
const overlapMs = dayMs

/** Checks what has changed since the last run, rechecks what was wrong then, and saves its position. One process at a time. */
export async function checkRecentBooks(
  db: Db,
  clock: Clock,
  onProgress: () => Promise<void>,
): Promise<BooksCheck> {
  const now = clock.now()
  const [mark] = await db.query<{ books_transfer_id: number; books_checked_at: Date | null }>(
    'select books_transfer_id, books_checked_at from reconciliation',
  )
  if (mark === undefined) throw new Error('the row of the reconciliation is gone')
  const sinceCheckpoints = checks.map(check =>
    check.invariant === balancesSince.invariant ? balancesSince : check,
  )
  const turn = createBooksTurn(db, sinceCheckpoints, onProgress)
  const wrong = new Set<string>()
  const settledBefore = new Date(now.getTime() - settledAfterMs)
  let transfers = 0
  for await (const page of transfersAfter(db, mark.books_transfer_id, turn.size)) {
    const young = page.findIndex(({ created_at: at }) => at > settledBefore)
    const settled = young === -1 ? page : page.slice(0, young)
    const last = settled.at(-1)
    if (last === undefined) break
    transfers += settled.length
    const accounts = distinct(settled.flatMap(row => [String(row.debit_account), String(row.credit_account)]))
    await turn.check(
      'transfer',
      settled.map(({ id }) => String(id)),
    )
    await turn.check('call', distinct(settled.map(({ call_id }) => call_id)))
    await turn.check('payment', distinct(settled.map(({ payment_id }) => payment_id)))
    await turn.check('referral', distinct(settled.map(({ referee_id }) => referee_id)))
    await turn.check('account', accounts)
    await rememberWrong(db, turn.breaches(), wrong, now)
    await moveCheckpoints(db, accounts, last.id)
    await db.query('update reconciliation set books_transfer_id = $1', [last.id])
    if (young !== -1) break
  }
  const from = mark.books_checked_at?.getTime() ?? 0
  await turn.walk('call', size => callsFrom(db, new Date(Math.max(0, from - longestCallMs)), size))
  if (mark.books_checked_at === null) {
    await turn.walk('payment', size => allByName(db, 'payment', 'id', size))
    await turn.walk('referral', size => allByName(db, 'referral', 'referee_id', size))
  } else {
    const since = new Date(from - overlapMs)
    const payments = await names(db, paymentsSince, since)
    await turn.walk('payment', size => inPages(payments, size))
    const referrals = await names(db, referralsSince, since)
    await turn.walk('referral', size => inPages(referrals, size))
  }
  await rememberWrong(db, turn.breaches(), wrong, now)
  await checkAgain(db, turn, wrong)
  await db.query('update reconciliation set books_checked_at = $1', [now])
  return { transfers, breaches: turn.breaches() }
}

/** A refund or dispute counts when it was written and whenever its state changed. */
const paymentsSince = `
  select id::text as subject from payment where paid_at >= $1
  union select payment.id::text from refund join payment using (intent_ref) where refund.created_at >= $1
  union select payment.id::text from refund join payment using (intent_ref) where refund.changed_at >= $1
  union select payment.id::text from dispute join payment using (intent_ref) where dispute.created_at >= $1
  union select payment.id::text from dispute join payment using (intent_ref) where dispute.changed_at >= $1`
const referralsSince = 'select referee_id::text as subject from referral where decided_at >= $1'

async function names(db: Db, sql: string, since: Date): Promise<string[]> {
  return (await db.query<{ subject: string }>(sql, [since])).map(({ subject }) => subject)
}

const nameOf = (about: Subject, subject: string) => `${about} ${subject}`

/** Saves breaches as soon as they are found, in case the process dies. */
async function rememberWrong(
  db: Db,
  breaches: BooksCheck['breaches'],
  known: Set<string>,
  now: Date,
): Promise<void> {
  for (const { about, rows } of breaches)
    for (const { subject } of rows) {
      if (known.has(nameOf(about, subject))) continue
      known.add(nameOf(about, subject))
      await db.query(
        'insert into books_breach (about, subject, found_at) values ($1, $2, $3) on conflict do nothing',
        [about, subject, now],
      )
    }
}

/** Rechecks earlier breaches that this run has not read; deletes those that are right by now. */
async function checkAgain(db: Db, turn: BooksTurn, wrong: ReadonlySet<string>): Promise<void> {
  const before = await db.query<{ about: Subject; subject: string }>(
    'select about, subject from books_breach',
  )
  for (const { about, subject } of before) {
    if (!wrong.has(nameOf(about, subject))) await turn.check(about, [subject])
  }
  const stillWrong = new Set(
    turn.breaches().flatMap(({ about, rows }) => rows.map(({ subject }) => nameOf(about, subject))),
  )
  for (const { about, subject } of before) {
    if (!stillWrong.has(nameOf(about, subject)))
      await db.query('delete from books_breach where about = $1 and subject = $2', [about, subject])
  }
}

/** Moves the checkpoints of correct accounts; from there, only later transfers are checked. */
async function moveCheckpoints(db: Db, accounts: readonly string[], transferId: number): Promise<void> {
  await db.query(
    `insert into account_checkpoint (account_id, transfer_id, balance)
     select account.id, $2::bigint, coalesce(known.balance, 0)
       + (select coalesce(sum(amount), 0)::bigint from transfer where credit_account = account.id
          and id > coalesce(known.transfer_id, 0) and id <= $2::bigint)
       - (select coalesce(sum(amount), 0)::bigint from transfer where debit_account = account.id
          and id > coalesce(known.transfer_id, 0) and id <= $2::bigint)
     from account left join account_checkpoint known on known.account_id = account.id
     where account.kind = 'customer' and account.id = any($1::bigint[])
       and not exists (select 1 from books_breach where about = 'account' and subject = account.id::text)
     on conflict (account_id) do update set transfer_id = excluded.transfer_id, balance = excluded.balance`,
    [accounts, transferId],
  )
}
