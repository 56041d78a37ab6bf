// @covers src/islands/support server/support
import type { Page } from 'playwright/test'
import { expectInCall } from '#support/bad-line.ts'
import { expect, test } from '#support/e2e.ts'
import { blankPage, dial, newAddress, signUp } from '#support/people.ts'

interface Mail {
  readonly to: string
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
}

/** What support got from one writer, newest first. */
async function mailsFrom(page: Page, email: string): Promise<readonly Mail[]> {
  const mails: readonly Mail[] = await (await page.request.get('/dev/inbox.json')).json()
  return mails.filter(mail => mail.replyTo === email)
}

async function write(page: Page, email: string, message: string): Promise<void> {
  await page.goto('/support')
  await page.getByLabel('Your name').fill('Anna Berg')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('About').selectOption('A payment or refund')
  await page.getByLabel('Message').fill(message)
}

/** The reference that the page shows to the writer. */
async function shownReference(page: Page, email: string): Promise<string> {
  const confirmation = page.getByText(`We'll reply to ${email}. Your reference is S-`)
  return /S-\w{6}/.exec((await confirmation.textContent()) ?? '')?.[0] ?? ''
}

const send = (page: Page) => page.getByRole('button', { name: 'Send message' })

test('a user writes to support, gets a reference, and support gets the message', {
  tag: '@core',
}, async ({ page }) => {
  const email = newAddress('anna')
  await write(page, email, 'Dear Farline,\nmy receipt shows the wrong year.')
  await send(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'On its way' })).toBeFocused()
  const reference = await shownReference(page, email)
  await expect.poll(() => mailsFrom(page, email)).toHaveLength(1)
  expect((await mailsFrom(page, email))[0]).toMatchObject({
    to: 'support@farline.example',
    subject: `${reference}: A payment or refund, from Anna Berg`,
    text: expect.stringContaining('Dear Farline,\nmy receipt shows the wrong year.'),
  })

  await page.getByRole('link', { name: 'Back to the dialler' }).click()
  await expect(page).toHaveURL(/\/call$/)
})

test('the obvious questions are answered before anything is sent', async ({ page }) => {
  await page.goto('/support')
  const answers = page.getByRole('region', { name: 'Does this help?' })
  await expect(answers).toBeHidden()

  await page.getByLabel('About').selectOption('A referral link')
  await expect(answers.getByText('How do I get a referral link?')).toBeVisible()

  await page.getByLabel('Message').pressSequentially('I was charged for a busy line')
  await expect(page.getByRole('status').filter({ hasText: 'answers above Send message' })).toBeAttached()
  const busy = answers.getByText('Do I pay when nobody answers?')
  await busy.click()
  await expect(answers.getByText('No. Ringing, busy, unanswered and failed calls are free.')).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('I was charged for a busy line')
})

test('says beside its field what is missing, and keeps what was typed', async ({ page }) => {
  await page.goto('/support')
  await page.getByLabel('Message').fill('It is about my call of yesterday.')
  await page.getByLabel('E-mail').fill('anna')
  await send(page).click()
  await expect(page.getByLabel('Your name')).toBeFocused()
  await expect(page.getByLabel('Your name')).toHaveAccessibleDescription('Tell us your name.')
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(
    "That isn't an e-mail address yet. It needs an @, like you@example.com.",
  )
  await expect(page.getByLabel('About')).toHaveAccessibleDescription("Choose what it's about.")
  await page.getByLabel('About').selectOption('A call')
  await expect(page.getByLabel('About')).toHaveAccessibleDescription('')
  await expect(page.getByLabel('Message')).toHaveValue('It is about my call of yesterday.')
})

test('when it cannot be sent nothing is lost, and sent again it arrives once', async ({ page }) => {
  const email = newAddress('lost')
  const message = 'My card was charged twice & I am not amused.'
  await write(page, email, message)

  // The server applies it, but its answer is lost.
  await page.route('**/api/support', async route => {
    await route.fetch()
    await route.abort()
  })
  await send(page).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    "We can't reach the server. Check your connection and try again.",
  )
  await expect(page.getByLabel('Message')).toHaveValue(message)
  await expect(page.getByRole('link', { name: 'send it from your own e-mail' })).toHaveAttribute(
    'href',
    `mailto:support@farline.example?body=${encodeURIComponent(message)}`,
  )

  await page.unroute('**/api/support')
  await send(page).dblclick()
  await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
  const reference = await shownReference(page, email)
  await expect
    .poll(async () => (await mailsFrom(page, email)).map(({ subject }) => subject))
    .toEqual([`${reference}: A payment or refund, from Anna Berg`])
})

test('from a receipt, the form knows who writes and about which call', async ({ page }) => {
  const email = await signUp(page)
  await dial(page, '2125550101')
  await expect(page.getByText('The line is busy. Nothing was charged.')).toBeVisible()
  await page.goto('/call-history')
  await page.getByRole('link', { name: /^Receipt for/ }).click()
  await page
    .getByRole('paragraph')
    .filter({ hasText: 'Something wrong with this call?' })
    .getByRole('link', { name: 'Write to us' })
    .click()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expect(page.getByLabel('About')).toHaveValue('call')
  await expect(page.getByLabel('Message')).toHaveValue(
    /^About my call on \d+ \w+ \d{4}, \d\d:\d\d UTC \(receipt [0-9a-f-]{36}\):\n$/,
  )
  expect(page.url()).toMatch(/\/support\?call=[0-9a-f-]{36}$/)
})

test('a rejection in the dialler leads to the form with what happened, and the call it happened in', async ({
  page,
  farline,
}) => {
  const email = await signUp(page)
  await dial(page, '2125550100')
  await expectInCall(page)
  await farline.restrict(email)
  const rejection = 'Your account has been restricted from making calls. Contact support for help.'
  await page.getByRole('alert').filter({ hasText: rejection }).getByRole('link').click({ timeout: 15_000 })
  await expect(page.getByLabel('About')).toHaveValue('restricted')
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expect(page.getByLabel('Message')).toHaveValue(
    /^About my call on \d+ \w+ \d{4}, \d\d:\d\d UTC \(receipt [0-9a-f-]{36}\):\nThe page said: "Your account has been restricted/,
  )
})

test('on a phone the bottom bar stands for users, and not for visitors', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  const bar = page.getByRole('navigation', { name: 'Sections' })
  const pages = [
    ...['/support', '/buy-credits', '/faq', '/destinations'],
    ...['/calling/in', '/blog', '/terms'],
  ]
  for (const path of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(bar, path).toBeHidden()
    await expect(page.getByRole('contentinfo'), path).toBeAttached()
  }
  await signUp(page, { at: blankPage })
  for (const path of pages) {
    await page.goto(path)
    await expect(bar, path).toBeInViewport()
    await expect(bar.getByRole('link')).toHaveText(['Phone', 'History', 'Profile'])
    await page.keyboard.press('End')
    const bottom = async () => ((await bar.boundingBox())?.y ?? 0) + ((await bar.boundingBox())?.height ?? 0)
    await expect.poll(bottom, path).toBeCloseTo(800, 0)
  }
})

test('troubles beside the form lead to their answer', async ({ page }) => {
  await page.goto('/support')
  await page.getByRole('link', { name: "They can't hear me" }).click()
  await expect(page.getByText('First check whether the button in the dialler says Muted.')).toBeInViewport()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the page says where to write instead', async ({ page }) => {
    await page.goto('/support')
    await expect(page.getByRole('main')).toContainText(
      'This form needs JavaScript. Without it, write to support@farline.example.',
      { useInnerText: true },
    )
  })
})
