import { expect, test } from 'vitest'
import { findCall, listCalls } from '#server/calls/history/history.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { requestRefund } from '#server/payments/refunds/refund-request.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountState, deliver, orderByLink, passRefundWindow, visa } from '../payments/buyer.ts'
import { addCustomer, callOnce, knowPaid, runAll } from '../payments/top-up-customer.ts'

/** CONTRIBUTING.md: a migration works while servers of the version before still run, and so do they. */

const world = keepForFile(await createWorld())

test('a call goes its whole way on sessions that were open when a newer version added columns', async () => {
  const user = await world.addUser({ credit: 1 })
  async function wholeCall(): Promise<void> {
    const { callId, end } = await connectCall(world.control, user.id, '+12125550100')
    await reconcileCalls(world.services, placingGraceMs)
    await end(10_000)
    expect(await findCall(world.db, user.id, callId)).toMatchObject({ state: 'ended', cost: 0.02 })
    expect((await listCalls(world.db, user.id, undefined)).calls[0]?.id).toBe(callId)
  }
  await wholeCall()
  for (const table of ['app_user', 'account', 'call', 'call_meter', 'transfer']) {
    await world.db.query(`alter table ${table} add column newer text default 'newer'`)
  }
  world.clock.advance(1000)
  await wholeCall()
})

test('a payment, its referral, its refund and a top-up do so too', async () => {
  knowPaid(world)
  async function wholePayment(time: string): Promise<void> {
    const [referrer, referee] = [await world.addUser(), await world.addUser()]
    const code = (await showReferrals(world.services, referrer.id))?.link.split('=')[1]
    const one = await orderByLink(world, referee.id, 10, code ?? '')
    await deliver(world, one.paid({ card: { ...visa, fingerprint: `fp-${time}` } }))
    const other = await orderByLink(world, referee.id, 10, '')
    await deliver(world, other.paid())
    expect(await requestRefund(world.services, referee.id, other.id, 10)).toMatchObject({ ok: true })
    await passRefundWindow(world)
    expect(await accountState(world, referrer.id)).toMatchObject({ balance: 5 })
    const customer = await addCustomer(world)
    await callOnce(world, customer.id)
    await runAll(world.services)
    const { transfers } = await listTransfers(world.db, customer.id, {}, world.clock.now())
    expect(transfers[0]?.kind).toBe('auto_topup')
  }
  await wholePayment('before')
  const tables = ['payment', 'refund', 'referral', 'saved_card', 'auto_topup_charge', 'auto_topup_wish']
  for (const table of tables) {
    await world.db.query(`alter table ${table} add column newest text default 'newest'`)
  }
  await wholePayment('after')
})
