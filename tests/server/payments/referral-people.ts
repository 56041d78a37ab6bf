import { expect } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import type { World } from '#support/world.ts'
import { accountState, deliver, orderByLink, runRewards, visa } from './buyer.ts'

/** What the referrals page shows somebody, and the code of their link. */
export async function pageOf(world: World, user: UserRow) {
  const shown = await showReferrals(world.services, user.id)
  if (shown === undefined) throw new Error('no such user')
  return { ...shown, code: shown.link.split('?ref=')[1] ?? '' }
}

let cards = 0
export const newCard = () => ({ ...visa, fingerprint: `fp-referral-${++cards}` })

/** Somebody who came by the link of somebody who has it. */
export async function twoPeople(world: World) {
  const referrer = await world.addUser()
  const referee = await world.addUser()
  return { referrer, referee, code: (await pageOf(world, referrer)).code }
}

export async function pay(world: World, userId: string, usd: number, code: string, card = newCard()) {
  const one = await orderByLink(world, userId, usd, code)
  await deliverUpdate(world, one.paid({ card }))
  return one
}

export async function deliverUpdate(world: World, update: Parameters<typeof deliver>[1]) {
  expect(await deliver(world, update)).toMatchObject({ ok: true })
  await runRewards(world)
}

export const balanceOf = async (world: World, user: UserRow) => (await accountState(world, user.id)).balance
export const statesOf = async (world: World, user: UserRow) =>
  (await pageOf(world, user)).people.map(({ state }) => state)
export const mailsTo = async (world: World, referee: UserRow) =>
  world.db.query<{ data: { to: string; subject: string } }>('select data from job where key = $1', [
    `mail:referral:${referee.id}`,
  ])
