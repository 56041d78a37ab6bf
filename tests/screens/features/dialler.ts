import { expect } from 'playwright/test'
import { dial, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The phone before a call: what it says of numbers, and its dialogs. */
export const dialler: Walk = async ({ page, farline, visit, shoot }) => {
  await visit('/call', 'visitor')
  const email = await signUp(page)
  const number = page.getByRole('textbox', { name: 'Phone number' })
  const enter = async (text: string, state: string, says: string | RegExp) => {
    await number.fill(text)
    await expect(page.getByText(says).first()).toBeVisible()
    await shoot(state)
  }
  await expect(page.getByText('Free Call Available')).toBeVisible()
  await shoot('newcomer')
  await enter('2125550100', 'number', 'May be hidden')
  await enter('+919876543210', 'number-abroad', 'Likely shown')
  await enter('8765550133', 'number-caution', /^Caution: /)
  await enter('911', 'number-emergency', /emergency services/)
  await enter('+999123456789', 'number-unsupported', /not supported/)
  await enter('+449098790123', 'number-premium', /premium-rate/)
  await enter('21255', 'number-short', /^The rate shows/)
  await number.fill('')
  await page.getByRole('button', { name: /^Country: / }).click()
  await shoot('country-picker', { whole: false })
  await page.getByRole('combobox', { name: 'Search countries' }).fill('zzz')
  await shoot('country-picker-nothing', { whole: false })
  await page.keyboard.press('Escape')
  const from = page.getByLabel('Call from')
  await from.focus()
  await from.selectOption('Add Caller ID')
  await shoot('verify-caller-id', { whole: false })
  await page.keyboard.press('Escape')
  // The free call asks for no price.
  await dial(page, '2125550100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  // A shorter call would leave the free call.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/Talked/).first()).toBeVisible()
  await farline.credit(email, 5)
  await dial(page, '+2347027123456')
  await expect(page.getByText('Confirm the price')).toBeVisible()
  await shoot('price-question', { whole: false })
  await page.keyboard.press('Escape')
  await farline.restrict(email)
  await page.reload()
  await expect(page.getByText(/^Your account has been restricted/)).toBeVisible()
  await shoot('restricted')
}
