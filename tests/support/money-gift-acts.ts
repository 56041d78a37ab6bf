import { expect } from 'vitest'
import { giftCodeOf } from '#lib/money/gift-code.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { deleteAccount } from '#server/accounts/deletion/delete-account.ts'
import { findUser } from '#server/identity/users.ts'
import { openGiftCode } from '#server/payments/gifts/gift-rows.ts'
import { openGiftCheckout } from '#server/payments/gifts/order-gift.ts'
import { redeemGift } from '#server/payments/gifts/redeem-gift.ts'
import { type Act, nowOf } from './money-acts.ts'
import { attempt, type MoneyWorld } from './money-world.ts'
import { addCaller } from './storm-callers.ts'

const checkoutMs = 10 * 60_000
/** This machine's own address has no limits. */
const address = '127.0.0.1'

export const orderGift =
  (usd: number): Act =>
  async (model, real, breaks) => {
    const texts = { fromName: 'Ana', toName: 'Mum', message: '', recipientEmail: null }
    const now = nowOf(real)
    const amount = usd * microUsdPerUsd
    const same = model.payments.findLast(
      payment =>
        payment.gift !== undefined &&
        payment.state === 'open' &&
        payment.amount === amount &&
        payment.createdAt > now - checkoutMs,
    )
    const rejection = model.giftRejection(amount, same !== undefined, now)
    const order = { ...texts, amountUsd: usd }
    const { value } = await attempt(real, breaks, s => openGiftCheckout(s, real.userId, order))
    if (!value.ok || rejection !== undefined) {
      expect(value).toMatchObject({ ok: false, code: rejection })
      return
    }
    const id = value.value.url.slice('https://pay.example/cs_'.length)
    if (same === undefined) model.open(id, 'gift', amount, false, now, await codeOf(real, id))
    else expect(id).toBe(same.id)
  }

async function codeOf({ world: { db }, services }: MoneyWorld, paymentId: string): Promise<string> {
  const [row] = await db.query<{ code_sealed: Uint8Array }>(
    'select code_sealed from gift where payment_id = $1',
    [paymentId],
  )
  const code = openGiftCode(services, row?.code_sealed ?? null)
  if (code === null) throw new Error('an ordered booklet has no code')
  return code
}

/** Another account, new each time, redeems one of the booklets, and then asks again. */
export const redeem =
  (which: number): Act =>
  async (model, real, breaks) => {
    const booklets = model.payments.filter(({ gift }) => gift !== undefined)
    const payment = booklets[which % booklets.length]
    if (payment?.gift === undefined) return
    const { gift } = payment
    const friend = await addFriend(real)
    const ask = () => redeemGift(real.services, friend, gift.code, address)
    const { value } = await attempt(real, breaks, s => redeemGift(s, friend, gift.code, address))
    const amount = model.redeem(payment, friend)
    if (amount === 0) {
      expect(value).toMatchObject({ ok: false, rejection: { code: 'unknown_code' } })
      return
    }
    const arrived = { amountMicroUsd: amount, balanceMicroUsd: amount }
    for (const answer of [value, await ask()]) expect(answer).toMatchObject({ ok: true, value: arrived })
  }

export const redeemWrongCode: Act = async (_model, real, breaks) => {
  const friend = await addFriend(real)
  const code = giftCodeOf(real.services.random.bytes(13))
  const { value } = await attempt(real, breaks, s => redeemGift(s, friend, code, address))
  expect(value).toMatchObject({ ok: false, rejection: { code: 'unknown_code' } })
}

async function addFriend({ world }: MoneyWorld): Promise<string> {
  const name = `friend-${world.services.random.uuid()}`
  return (await addCaller(world.services, name, { cents: 0, free: false })).id
}

/** Deletes the customer's account, which has no password and was signed in to just now. */
export const leaveFarline: Act = async (model, real, breaks) => {
  const { world, userId } = real
  const { db, clock } = world
  const expected = model.deletionRejection()
  const sessionId = world.services.random.uuid()
  await db.query('update app_user set password_hash = null where id = $1', [userId])
  await db.query(
    `insert into session (id, user_id, device, kind, signed_in_at, last_seen_at, proved_at)
     values ($1, $2, 'Chrome', 'computer', $3, $3, $3)`,
    [sessionId, userId, clock.now()],
  )
  const confirm = (await findUser(db, userId))?.email ?? ''
  const { value } = await attempt(real, breaks, s =>
    deleteAccount(s, userId, { confirm, password: '' }, { sessionId, address }),
  )
  if (expected === undefined) {
    expect(value).toMatchObject({ ok: true })
    model.delete()
  } else expect(value).toMatchObject({ ok: false, code: expected })
}
