import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { BillingLine } from '#lib/api/billing.ts'
import type { ReceiptRecord } from '#lib/api/payments.ts'
import type { RefundState } from '#lib/api/transfers.ts'
import { PaymentReceipt } from '../receipt/PaymentReceipt.tsx'
import { BillingTable } from './BillingTable.tsx'
import { signed, totalsOf } from './wording.ts'

/** What a reader sees: without tags, single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

function bought(refund: RefundState, part: Partial<BillingLine> = {}): BillingLine {
  return {
    id: '1',
    kind: 'payment',
    description: 'Credits bought',
    amount: 50,
    balance: 50,
    at: '2026-11-21T10:00:00.000Z',
    call: null,
    payment: { id: 'p', receipt: 'F-2026-0001', refund },
    ...part,
  }
}

const table = (...lines: BillingLine[]) =>
  renderToString(createElement(BillingTable, { lines, onRefunded: () => {} }))

describe('a line of the history', () => {
  test.each<[RefundState, string | null, boolean]>([
    ['open', null, true],
    ['pending', 'Refund pending', false],
    ['refunded', 'Refunded', false],
    ['none', null, false],
  ])('with a refund that is %s says %s', (refund, label, button) => {
    const html = table(bought(refund))
    expect(/class="state">([^<]*)</.exec(html)?.[1] ?? null).toBe(label)
    expect(html.includes('aria-label="Refund F-2026-0001"')).toBe(button)
    expect(html).toContain('href="/receipt?id=p"')
  })

  test('of a call names the number and shows what it cost to the last part of a cent', () => {
    const html = table(
      bought('none', {
        description: 'Call',
        kind: 'call',
        amount: -0.0184,
        call: { id: 'c', to: '+12125550100', minutes: 1, live: false },
        payment: null,
      }),
    )
    expect(textOf(html)).toMatch(
      /Call \+12125550100 , 1 minute .* −\$0\.0184 \$50\.00|Call \+12125550100, 1 minute .* −\$0\.0184 \$50\.00/,
    )
    expect(html).not.toContain('"/receipt')
    expect(html).toContain('href="/call-receipt?id=c"')
  })

  test('of a bonus has no second receipt', () => {
    expect(table(bought('none', { kind: 'bonus', description: 'Bonus credits' }))).not.toContain('/receipt')
  })
})

test('credits come with a plus and go with a minus', () => {
  expect([signed(2), signed(-0.5), signed(-0.000001)]).toEqual(['+$2.00', '−$0.50', '−$0.000001'])
})

test('totals are of all lines, or are none', () => {
  const lines = [
    bought('open', { kind: 'bonus', amount: 2.1 }),
    bought('open', { amount: 0.1 }),
    bought('open'),
  ]
  expect(totalsOf(lines, true)).toMatchObject({ bought: 50.1, bonus: 2.1 })
  expect(totalsOf(lines, false)).toBeNull()
  expect(totalsOf([bought('none', { kind: 'adjustment' })], true)).toBeNull()
})

describe('a receipt', () => {
  const receipt: ReceiptRecord = {
    number: 'F-2026-0001',
    paidAt: '2026-11-21T23:58:00.000Z',
    name: null,
    email: 'anna@example.com',
    card: 'Visa ending 4242',
    reference: 'pi_1',
    automatic: false,
    giftFor: null,
    amount: 50,
    bonus: 2,
    held: 0,
    refunded: 0,
    vat: null,
  }
  const paper = (part: Partial<ReceiptRecord> = {}) =>
    textOf(renderToString(createElement(PaymentReceipt, { receipt: { ...receipt, ...part } })))

  test('shows number, day, buyer, card, reference, lines and total', () => {
    const text = paper()
    for (const part of [
      'Number F-2026-0001',
      'Date 21 November 2026, 23:58 UTC',
      'Billed to anna@example.com',
      'Paid with Visa ending 4242',
      'Payment reference pi_1',
      'Calling credits $50.00 $50.00',
      'Bonus credits $2.00 $0.00',
      'Total $52.00 $50.00',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/VAT|refunded|review/)
  })

  test('names the buyer who has said a name', () => {
    expect(paper({ name: 'Anna <Berg>' })).toContain('Billed to Anna &lt;Berg&gt; anna@example.com')
  })

  test('says what tax it holds, what waits and what went back', () => {
    const text = paper({ vat: { number: 'GB1', percent: 20, amount: 8.33 }, held: 12, refunded: 25 })
    expect(text).toContain('VAT number GB1')
    expect(text).toContain('The price includes $8.33 of VAT at 20%.')
    expect(text).toContain('$12.00 of these credits will arrive after a review.')
    expect(text).toContain('We refunded $25.00 of this payment.')
  })

  test('of a booklet offers a refund until it is refunded', () => {
    const booklet = { giftFor: 'Mum', bonus: 0 } as const
    expect(paper(booklet)).toContain('You can get a refund until the booklet is redeemed.')
    const refunded = paper({ ...booklet, refunded: 50 })
    expect(refunded).toContain('We refunded $50.00 of this payment.')
    expect(refunded).not.toContain('You can get')
  })
})
