import { expect } from 'vitest'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { restrictAccount } from '#server/admin/restrict.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { findUser } from '#server/identity/users.ts'
import { setAutoTopUp } from '#server/payments/auto-top-up/auto-top-up-toggle.ts'
import type { MoneyModel } from './money-model.ts'
import { attempt, type Break, type MoneyWorld, meter } from './money-world.ts'

/** Applies a command to the model and to the real services, and compares their results. */
export type Act = (model: MoneyModel, real: MoneyWorld, breaks: Break | undefined) => Promise<void>

/** Rates of 0.02, 0.355 and 1.14 USD a minute; the last is too expensive for a free call. */
export const numbers = {
  '+12125550100': 20_000,
  '+37491123456': 355_000,
  '+5353123456': 1_140_000,
} as const
export type Callee = keyof typeof numbers

export const nowOf = ({ world }: MoneyWorld) => world.clock.now().getTime()
export const operator = { reason: 'a test', actor: 'test' } as const

async function emailOf({ world, userId }: MoneyWorld): Promise<string> {
  return (await findUser(world.db, userId))?.email ?? ''
}

export const credit =
  (cents: number): Act =>
  async (model, real, breaks) => {
    const amountMicroUsd = cents * 10_000
    const requestId = real.services.random.uuid()
    const email = await emailOf(real)
    const order = { ...operator, requestId, email, amountMicroUsd }
    const { value } = await attempt(real, breaks, s => creditAccount(s, order))
    model.adjust(amountMicroUsd)
    expect(value).toEqual({ ok: true, value: model.balance })
  }

export const restrict =
  (action: 'block' | 'unblock'): Act =>
  async (model, real, breaks) => {
    const order = { ...operator, email: await emailOf(real) }
    await attempt(real, breaks, s => restrictAccount(s, action, order))
    if (action === 'block') model.block('operator')
    else model.letCallAgain(nowOf(real))
  }

export const switchTopUp =
  (on: boolean): Act =>
  async (model, real, breaks) => {
    const { value } = await attempt(real, breaks, s => setAutoTopUp(s, real.userId, on))
    expect(value.ok).toBe(!on || model.hasCard)
    if (value.ok) model.switchTopUp(on)
  }

export const place =
  (to: Callee): Act =>
  async (model, real, breaks) => {
    const rate = numbers[to]
    const terms = model.terms(rate)
    const { value: placement } = await attempt(
      real,
      breaks,
      s => createCallControl(s).place({ userId: real.userId, to, callerId: undefined }),
      // End a call that only the server knows of before the next one.
      async () => model.call === undefined && (await reconcileCalls(real.services, 0)),
    )
    if (typeof terms === 'string') {
      expect(placement).toMatchObject({ kind: 'refuse', code: terms })
      return
    }
    const { free, limitMinutes } = terms
    expect(placement).toMatchObject({ kind: 'connect', limitMs: limitMinutes * 60_000 })
    if (placement.kind !== 'connect') return
    const { callId } = placement
    model.place({ callId, rate, free, limitMinutes, answeredAt: undefined, minutes: 0, exhausted: false })
  }

export const answer: Act = async (model, real, breaks) => {
  const { call } = model
  if (call === undefined) return
  await attempt(real, breaks, async s => {
    await createCallControl(s).report({ kind: 'answered', callId: call.callId })
    await meter(s)
  })
  model.answer(call, nowOf(real))
}

export const end: Act = async (model, real, breaks) => {
  const { call } = model
  if (call === undefined) return
  const answeredMs = call.answeredAt === undefined ? null : nowOf(real) - call.answeredAt
  await attempt(real, breaks, s =>
    createCallControl(s).report({ kind: 'ended', callId: call.callId, answeredMs, end: 'caller_hung_up' }),
  )
  model.end(call, nowOf(real))
}

/** Our own server stops, and the calls of its exchange end with it. */
export const restart: Act = async (model, real, breaks) => {
  const { call } = model
  if (call === undefined) return
  const answeredMs = call.answeredAt === undefined ? null : nowOf(real) - call.answeredAt
  await attempt(real, breaks, s =>
    createCallControl(s).report({ kind: 'ended', callId: call.callId, answeredMs, end: 'server_stopping' }),
  )
  model.end(call, nowOf(real), true)
}

export const claimLastCall: Act = async (model, real, breaks) => {
  const { lastCall } = model
  if (lastCall === undefined) return
  const { value } = await attempt(real, breaks, s => claimCall(s, real.userId, lastCall.callId, 'echo'))
  const expected = model.claimCall(lastCall, nowOf(real))
  if (typeof expected === 'string') expect(value).toMatchObject({ ok: false, code: expected })
  else expect(value).toEqual({ ok: true, value: expected / microUsdPerUsd })
}

export const pass =
  (seconds: number): Act =>
  async (model, real, breaks) => {
    real.world.clock.advance(seconds * 1000)
    await attempt(real, breaks, meter)
    if (model.pass(nowOf(real))) await end(model, real, undefined)
  }
