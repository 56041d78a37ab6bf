import { expect } from 'playwright/test'
import { newAddress, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** A booklet for somebody else: written, paid, printed, redeemed and refunded. */
export const gifts: Walk = async ({ page, openOther, visit, shoot }) => {
  await visit('/send-a-line', 'visitor')
  await signUp(page)
  await visit('/send-a-line', 'form')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await expect(page.getByText('Who is it for?')).toBeVisible()
  await shoot('form-rejected')
  await page.getByRole('radio', { name: /\$10/ }).check({ force: true })
  await page.getByLabel('For', { exact: true }).fill('Mum')
  await page.getByLabel('From', { exact: true }).fill('Ana')
  await page.getByLabel(/A line from you/).fill('So that you can call me on Sundays.')
  await shoot('form-filled')
  await page.getByRole('button', { name: 'Secure Checkout' }).click()
  await page.getByRole('radio', { name: 'succeeds', exact: true }).check({ force: true })
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'For Mum, $10.00' })
  await expect(row).toContainText('Print the envelope')
  await shoot('sent')

  await page.evaluate(() => {
    window.print = () => undefined
  })
  await row.getByRole('button', { name: 'Print the envelope for Mum' }).click()
  await page.emulateMedia({ media: 'print' })
  const code = await page
    .locator('[data-print-sheet]')
    .getByText(/^\w{4}(-\w{4}){4}$/)
    .innerText()
  await shoot('envelope-print')
  await page.emulateMedia({ media: null })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))

  const mum = await openOther()
  await mum.goto('/redeem')
  await mum.waitForLoadState('networkidle')
  await shoot('redeem', { of: mum })
  await mum.goto(`/redeem#code=${code}`)
  await expect(mum.getByRole('heading', { name: 'Somebody sent you a line' })).toBeVisible()
  await shoot('redeem-visitor', { of: mum })
  await signUp(mum, { email: newAddress('mum') })
  await mum.goto('/redeem')
  await mum.getByRole('button', { name: 'Enter another code' }).click()
  await mum.getByLabel('Your code').fill('AAAA-AAAA')
  await mum.getByRole('button', { name: 'Open the envelope' }).click()
  await mum.waitForLoadState('networkidle')
  await shoot('redeem-wrong-code', { of: mum })
  await mum.getByLabel('Your code').fill(code)
  await mum.getByRole('button', { name: 'Open the envelope' }).click()
  await expect(mum.getByRole('heading', { name: 'Ana sent you a line' })).toBeVisible()
  await shoot('redeem-found', { of: mum })

  await row.getByRole('button', { name: 'Refund the booklet for Mum' }).click()
  await shoot('refund', { whole: false })
  await page.getByRole('button', { name: 'Keep it' }).click()
  await mum.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(mum.getByRole('heading', { name: '$10.00 is in your balance' })).toBeVisible()
  await shoot('redeemed', { of: mum })
  await page.goto('/send-a-line')
  await expect(row).toContainText(/Redeemed on/)
  await shoot('sent-redeemed')
}
