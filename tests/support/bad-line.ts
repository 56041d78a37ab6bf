import { expect, type Page } from 'playwright/test'
import { listen } from './page-audio.ts'
import { dial, signUp } from './people.ts'
import type { TestServer } from './test-server.ts'

/** Answers at once and plays a 1004 Hz tone until the call ends. */
const toneNumber = '2125550100'

/** Signs up a user with $5 and no free call. */
export async function signUpWithCredit(page: Page, farline: TestServer): Promise<string> {
  const email = await signUp(page)
  await farline.credit(email, 5)
  await dial(page, toneNumber)
  await expectInCall(page)
  // A shorter free call would stay free.
  await farline.advance(11_000)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Balance: $5.00')).toBeVisible()
  await expect.poll(() => farline.liveCalls()).toEqual([])
  return email
}

/** Calls the tone number and waits for the answer. @returns the call's id */
export async function callTone(page: Page, farline: TestServer): Promise<string> {
  await dial(page, toneNumber)
  await expectInCall(page)
  const [callId = ''] = await farline.liveCalls()
  return callId
}

export async function expectInCall(page: Page): Promise<void> {
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
}

export async function expectTone(page: Page): Promise<void> {
  await expect(async () => {
    const { hz, rms } = await listen(page)
    expect(Math.abs(hz - 1004)).toBeLessThan(8)
    expect(rms).toBeGreaterThan(0.01)
  }).toPass({ timeout: 20_000 })
}

declare global {
  interface Window {
    saidAlerts: string[]
  }
}

/** Records all text in alerts and toasts from now on, including text shown only briefly. */
export async function listenToAlerts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    window.saidAlerts = []
    let last = ''
    const look = () => {
      const text = [...document.querySelectorAll('[role=alert]')]
        .filter(element => element.checkVisibility())
        .map(({ textContent }) => textContent.trim())
        .filter(text => text !== '')
        .join(' | ')
      if (text !== last && text !== '') window.saidAlerts.push(text)
      last = text
    }
    look()
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => window.saidAlerts)
}

/** Expects that the call has ended on the page and on the server, and that its cost matches the ledger. */
export async function expectCallOver(
  page: Page,
  farline: TestServer,
  callId: string,
  { charges, balance }: { charges: readonly number[]; balance: string },
): Promise<void> {
  await expect(page.getByText('Call Disconnected')).toBeAttached()
  await expect(page.getByText('In Call', { exact: true })).toHaveCount(0)
  await expect.poll(() => farline.liveCalls()).toEqual([])
  await expect.poll(async () => (await farline.charges(callId)).map(({ amount }) => amount)).toEqual(charges)
  await expect(page.getByText(balance)).toBeVisible()
}
