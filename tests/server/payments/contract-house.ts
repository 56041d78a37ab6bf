import { randomUUID } from 'node:crypto'
import type { CheckoutOrder, KeptCard, Payments, PaymentUpdate } from '#server/payment-provider/port.ts'
import type { MovableClock } from '#support/movable-clock.ts'

/** Cards by what they do: at the checkout, and later while their owner is away. */
export type ContractCard =
  | 'succeeds'
  | 'declines'
  | 'declines_later'
  | 'authenticates_always'
  | 'refunds_slowly'
  | 'reported'

/** An event on its way to us. */
export interface Delivery {
  readonly body: string
  readonly signature: string
}

/** A provider with the people around it: buyers, banks, and the clock on the wall. */
export interface PaymentsHouse {
  readonly payments: Payments
  readonly clock: MovableClock
  /** A buyer pays on the page at this address, and says yes where the bank asks. */
  pay(url: string, card: ContractCard): Promise<void>
  /** So much time passes, also for the page at this address. */
  passTime(ms: number, url: string): Promise<void>
  dispute(intentRef: string): Promise<string>
  closeDispute(disputeRef: string, state: 'won' | 'lost'): Promise<void>
  /** The card's bank reports a payment as fraud. */
  reportFraud(intentRef: string): Promise<string>
  /** What was sent since the last time, oldest first. */
  deliveries(): Promise<readonly Delivery[]>
  /** Signs any body as the provider would, now. */
  sign(body: string): string
  close(): Promise<void>
}

export function anyOrder(clock: MovableClock, details: Partial<CheckoutOrder> = {}): CheckoutOrder {
  return {
    paymentId: randomUUID(),
    userId: randomUUID(),
    email: 'anna@example.com',
    amountMicroUsd: 25_000_000,
    description: '25 calling credits',
    purpose: 'credits',
    savesCard: false,
    consentText: 'By paying, you allow us to keep this card and to charge it automatically.',
    authenticate: false,
    customerRef: null,
    successUrl: 'https://farline.example/call?payment=success',
    cancelUrl: 'https://farline.example/buy-credits?payment=cancelled',
    expiresAt: new Date(clock.now().getTime() + 3_600_000),
    ...details,
  }
}

const bytes = (body: string) => new TextEncoder().encode(body)

export type Visit = ReturnType<typeof visit>

/** What the tests do in a house, of which each test opens another. */
export function visit(house: () => PaymentsHouse) {
  const read = (body: string, signature: string) =>
    house().payments.readEvent(bytes(body), signature, house().clock.now())

  /** What the events since the last time say, each thing once. */
  const update = async (): Promise<PaymentUpdate[]> => {
    const received = new Map<string, PaymentUpdate>()
    for (const { body, signature } of await house().deliveries()) {
      const event = await read(body, signature)
      if (!event.ok) throw new Error(event.code)
      if (event.value.update.kind !== 'other')
        received.set(JSON.stringify(event.value.update), event.value.update)
    }
    return [...received.values()]
  }

  const open = async (details?: Partial<CheckoutOrder>) => {
    const order = anyOrder(house().clock, details)
    const opened = await house().payments.openCheckout(order)
    if (!opened.ok) throw new Error(opened.code)
    return { order, ...opened.value }
  }

  /** A checkout that was paid, and what its event said. */
  const buy = async (card: ContractCard, details?: Partial<CheckoutOrder>) => {
    const opened = await open(details)
    await house().pay(opened.url, card)
    const [paid] = await update()
    if (paid?.kind !== 'paid') throw new Error('it was not paid')
    return { ...opened, paid }
  }

  const keep = async (card: ContractCard): Promise<KeptCard> => {
    const { paid } = await buy(card, { savesCard: true })
    if (paid.kept === null) throw new Error('no card was kept')
    return paid.kept
  }

  const charge = (kept: KeptCard, paymentId: string = randomUUID()) =>
    house().payments.chargeKeptCard({
      ...kept,
      paymentId,
      userId: 'b7c1f0a2-5d3e-4c86-9a1f-2e4d6c8b0a13',
      amountMicroUsd: 10_000_000,
      description: 'Auto top-up',
    })

  return { read, update, open, buy, keep, charge }
}
