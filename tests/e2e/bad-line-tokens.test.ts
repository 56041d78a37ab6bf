// @covers server/identity/access-token.ts
// @real-time
import { callTone, expectCallOver, expectInCall, expectTone, signUpWithCredit } from '#support/bad-line.ts'
import { expect, badLineTest as test } from '#support/e2e.ts'

// The client asks for a new voice token 10 s before the old one ends.
test.use({ policy: { accessTokenSeconds: 10, voiceTokenSeconds: 15 } })

test('session and voice token expire in a call: it continues, and so does what needs a token', async ({
  page,
  farline,
  network,
}) => {
  await signUpWithCredit(page, farline)
  const renewed: string[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (response.ok()) renewed.push(pathname)
  })
  const callId = await callTone(page, farline)
  renewed.length = 0
  // Both have run out by then, and the voice token's successor too.
  await expect(page.getByRole('timer')).toHaveText(/00:(2[2-9]|[345]\d)/, { timeout: 60_000 })
  expect(renewed.filter(path => path === '/api/token').length).toBeGreaterThanOrEqual(2)
  expect(renewed).toContain('/api/auth/refresh-token')
  await expectInCall(page)
  await expectTone(page)

  // A broken line reconnects with the new token: the old one would be rejected.
  const reconnected = page.waitForEvent('websocket')
  network.dropSignalling()
  await reconnected
  await page.keyboard.press('8')
  await expect.poll(async () => (await farline.observe(callId))?.digits).toBe('8')
  await expectInCall(page)

  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/You hung up\. Talked 0:\d\d, charged \$0\.02\./)).toBeVisible()
  await expectCallOver(page, farline, callId, { charges: [20_000], balance: 'Balance: $4.98' })
  await page.goto('/call-history')
  await expect(page.getByRole('row').filter({ hasText: '212 555 0100' }).first()).toContainText('$0.02')
})
