import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { AboutAutoTopUp } from '#shared/auto-top-up/AboutAutoTopUp.tsx'
import { BuyCredits } from './BuyCredits.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { freeMinutesText, reviewText, spokenSummary, summaryTexts } from './wording.ts'

/** What a reader sees: without tags, single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
}

describe('the page as it is served', () => {
  const html = renderToString(createElement(BuyCredits, { referralValue: 'referralValue' }))

  test('has $25 chosen, no custom amount, auto top-up off, and a button to press', () => {
    const [chosen, ...others] = html.match(/<input[^>]*\schecked=""[^>]*>/g) ?? []
    expect(chosen).toMatch(/name="preset".*value="25"/)
    expect(others).toEqual([])
    expect(html).toMatch(/<input[^>]*type="number"[^>]*min="5"[^>]*max="4000"[^>]*value=""/)
    expect(html).toMatch(/<button type="submit" class="btn primary big wide">/)
  })

  test('says what each amount buys, and what this one costs', () => {
    const text = textOf(html)
    for (const tile of [
      '$10 500 minutes',
      '$25 1,250 minutes',
      '$50 2,500 minutes +100 minutes free!',
      '$100 5,000 minutes +500 minutes free!',
    ])
      expect(text).toContain(tile)
    expect(text).toContain('Minutes, at 2¢ a minute 1,250 You pay $25.00')
  })

  test('says before payment what holds of the 14 days, the 7 days, and large payments', () => {
    const text = textOf(html)
    expect(text).toContain('By paying, you ask us to start at once, before the 14 days to cancel are over')
    expect(html).toContain('<a href="/refunds">7-day money-back guarantee</a>')
    expect(text).toContain('Amounts over $500 a day, and their bonus, arrive after a short review.')
  })
})

describe('the summary', () => {
  test.each([
    [10, '$10.00', 'from $50', '500'],
    [49, '$49.00', 'from $50', '2,450'],
    [50, '$50.00', '+2 credits', '2,600'],
    [100, '$100.00', '+10 credits', '5,500'],
    [4000, '$4,000.00', '+400 credits', '220,000'],
  ])('of $%i', (usd, pay, bonus, minutes) => {
    expect(summaryTexts(usd)).toEqual({ credits: pay, bonus, minutes, pay })
  })

  test('of no amount is empty, and heard so', () => {
    expect(new Set(Object.values(summaryTexts(null)))).toEqual(new Set(['–']))
    expect(spokenSummary(null)).toBe('No amount chosen.')
  })

  test('is heard in a sentence', () => {
    expect(spokenSummary(25)).toBe('You pay $25.00 for 25 credits: 1,250 minutes at 2¢ a minute.')
    expect(spokenSummary(50)).toBe(
      'You pay $50.00 for 52 credits, 2 of them free: 2,600 minutes at 2¢ a minute.',
    )
  })
})

test('minutes are free where a bonus applies, also on a custom amount', () => {
  expect([10, 49, 50, 75, 99, 100, 4000].map(freeMinutesText)).toEqual([
    '',
    '',
    '+100 minutes free!',
    '+150 minutes free!',
    '+200 minutes free!',
    '+500 minutes free!',
    '+20,000 minutes free!',
  ])
})

test('a payment above $500 says what arrives at once, and what after a review', () => {
  expect(reviewText(500)).toBe('Amounts over $500 a day, and their bonus, arrive after a short review.')
  expect(reviewText(1200)).toContain(
    '$500 of this arrives at once, minus what you paid in the last 24 hours. The other $700 or more, and',
  )
})

test('an amount that a new customer cannot use at once says so', () => {
  const said = (usd: number) =>
    renderToString(createElement(CheckoutButton, { opening: false, disabled: false, usd })).includes(
      'In the 72 hours after your first payment, you can spend up to $50 on calls.',
    )
  expect([10, 50, 51, 600].map(said)).toEqual([false, false, true, true])
})

test('the button is disabled while the checkout opens, and without an amount', () => {
  const button = (opening: boolean, usd: number | null) =>
    renderToString(createElement(CheckoutButton, { opening, disabled: opening || usd === null, usd }))
  expect(button(false, 25)).not.toMatch(/<button[^>]*disabled/)
  expect(button(true, 25)).toMatch(/<button[^>]*disabled=""/)
  expect(button(false, null)).toMatch(/<button[^>]*disabled=""/)
})

test('About Auto Top-Up says when, how much, and how to end it', () => {
  const text = textOf(renderToString(createElement(AboutAutoTopUp, { usd: 50, onClose: () => undefined })))
  for (const said of [
    'About Auto Top-Up',
    '+ $50.00 from your card',
    'When your balance falls to $2.00, we charge your saved card',
    'The amount is the one you last bought',
    'Switch it off here whenever you like',
    "Until then, we can't charge anything.",
  ])
    expect(text).toContain(said)
})
