import { expect } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { clearDeletedAccounts, firstClearingMs } from '#server/accounts/retention/clear-deleted.ts'
import { password, type Web } from '#support/web.ts'
import { deliver, order } from '../payments/buyer.ts'

let people = 0
/** Somebody who signed up, and may delete their account. */
export async function newPerson(web: Web) {
  people += 1
  const email = `leaver-${people}@example.com`
  const { token, cookie, userId } = await web.signUp(email)
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    web.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    })
  return {
    email,
    userId,
    cookie,
    ask,
    leave: (body: object = {}) =>
      ask('POST', '/api/protected/delete-account', { confirm: email, password, ...body }),
    buy: async (usd: number, savesCard = false) => {
      const bought = await order(web, userId, usd, savesCard)
      expect(await deliver(web, bought.paid())).toEqual({ ok: true, value: undefined })
      return bought
    },
  }
}

/** @param sql a table and a condition with the user as $1 */
export async function countOf(web: Web, sql: string, userId: string): Promise<number> {
  const [row] = await web.db.query<{ n: number }>(`select count(*)::int as n from ${sql}`, [userId])
  return row?.n ?? 0
}

export const mailsTo = async (web: Web, email: string) =>
  (await web.readMails()).filter(({ to }) => to === email)

/** What was given up of a user's credits, in micro USD, oldest first. */
export async function givenUp(web: Web, userId: string): Promise<number[]> {
  const rows = await web.db.query<{ amount: number }>(
    `select amount from transfer where key like 'given_up:' || $1 || '%' order by id`,
    [userId],
  )
  return rows.map(({ amount }) => amount)
}

/** Credits come to an account by an adjustment. */
export async function lateCredits(web: Web, userId: string, usd: number): Promise<void> {
  await web.db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'adjustment:' || gen_random_uuid(), adjustments.id, own.id, $3::bigint, $2
     from account adjustments, account own where adjustments.kind = 'adjustments' and own.user_id = $1`,
    [userId, web.clock.now(), usdToMicroUsd(usd)],
  )
}

/** The first clearing of whoever has deleted an account just now. */
export async function clearLater(web: Web): Promise<void> {
  web.clock.advance(firstClearingMs)
  await clearDeletedAccounts(web.services)
}
