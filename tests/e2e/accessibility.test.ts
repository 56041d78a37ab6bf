import { violationsEverywhere } from '#support/axe.ts'
import { expect, test } from '#support/e2e.ts'
import { signUp } from '#support/people.ts'

const publicPages = [
  '/',
  '/destinations',
  '/calling/in',
  '/calling/us',
  '/buy-credits',
  '/faq',
  '/support',
  '/terms',
  '/emergency-calls',
  '/blog',
  '/blog/why-a-leading-zero-breaks-an-international-number',
  '/login',
  '/register',
  '/check-email',
  '/verify-email',
  '/email-verified',
  '/dev/inbox',
  '/dev/handset',
  '/dev/review',
  '/nowhere',
]

for (const path of publicPages) {
  test(`${path} has nothing that keeps people out, in both themes, on a phone and at a desk`, async ({
    page,
  }) => {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(await violationsEverywhere(page)).toEqual([])
  })
}

test('neither have the pages of somebody who is signed in', async ({ page }) => {
  await signUp(page)
  for (const path of ['/call', '/call-history', '/buy-credits']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(await violationsEverywhere(page)).toEqual([])
  }
})
