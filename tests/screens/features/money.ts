import { expect } from 'playwright/test'
import { signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** Buying credits, the checkout, and its receipt. */
export const money: Walk = async ({ page, visit, shoot }) => {
  await visit('/buy-credits', 'buy-visitor')
  await signUp(page)
  await visit('/buy-credits', 'buy')
  await visit('/buy-credits?amount=5', 'buy-5')
  await visit('/buy-credits?amount=100', 'buy-100')
  await visit('/buy-credits?amount=4000', 'buy-4000')
  await page.getByRole('button', { name: 'About Auto Top-Up' }).click()
  await shoot('about-auto-top-up', { whole: false })
  await page.keyboard.press('Escape')
  await page.goto('/buy-credits?amount=50')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Pay Farline $50.00' })).toBeVisible()
  await shoot('checkout')
  await page.getByRole('radio', { name: 'declines', exact: true }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText(/^The card was declined/)).toBeVisible()
  await shoot('checkout-declined')
  await page.getByRole('radio', { name: 'succeeds' }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.waitForURL('**/call*')
  await expect(page.getByText('Credits added successfully!')).toBeVisible()
  await shoot('credits-added')
  await visit('/billing-history', 'billing-one-payment')
  await page
    .getByRole('link', { name: /receipt/i })
    .first()
    .click()
  await page.waitForLoadState('networkidle')
  await shoot('receipt')
}
