import type { Db } from '../../db/port.ts'

/** Walks over the books in pages along an index. `size` is called before each page. */

type Size = () => number
type Page = readonly string[]

export interface TransferRow {
  readonly id: number
  readonly debit_account: number
  readonly credit_account: number
  readonly call_id: string | null
  readonly payment_id: string | null
  readonly referee_id: string | null
  readonly created_at: Date
}

export async function* transfersAfter(
  db: Db,
  after: number,
  size: Size,
): AsyncGenerator<readonly TransferRow[]> {
  for (let last = after; ; ) {
    const page = await db.query<TransferRow>(
      `select id, debit_account, credit_account, call_id, payment_id,
         substring(key from '^referral:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::|$)') as referee_id, created_at
       from transfer where id > $1 order by id limit $2`,
      [last, size()],
    )
    const end = page.at(-1)
    if (end === undefined) return
    yield page
    last = end.id
  }
}

export async function* callsFrom(db: Db, from: Date, size: Size): AsyncGenerator<Page> {
  for (let last = { at: from, subject: '00000000-0000-0000-0000-000000000000' }; ; ) {
    const page: (typeof last)[] = await db.query(
      `select id::text as subject, placed_at as at from call
       where (placed_at, id) > ($1, $2::uuid) order by placed_at, id limit $3`,
      [last.at, last.subject, size()],
    )
    const end = page.at(-1)
    if (end === undefined) return
    yield page.map(({ subject }) => subject)
    last = end
  }
}

const beforeAll = {
  payment: '00000000-0000-0000-0000-000000000000',
  referral: '00000000-0000-0000-0000-000000000000',
  account: '0',
}

export async function* allByName(
  db: Db,
  table: 'payment' | 'referral' | 'account',
  key: string,
  size: Size,
): AsyncGenerator<Page> {
  const type = table === 'account' ? 'bigint' : 'uuid'
  for (let last = beforeAll[table]; ; ) {
    const page = await db.query<{ subject: string }>(
      `select ${key}::text as subject from ${table} where ${key} > $1::${type} order by ${key} limit $2`,
      [last, size()],
    )
    const end = page.at(-1)
    if (end === undefined) return
    yield page.map(({ subject }) => subject)
    last = end.subject
  }
}

export async function* inPages(subjects: Page, size: Size): AsyncGenerator<Page> {
  for (let begin = 0; begin < subjects.length; ) {
    const page = subjects.slice(begin, begin + size())
    yield page
    begin += page.length
  }
}

export function distinct(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter(name => name !== null))]
}
