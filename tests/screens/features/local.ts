import { signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

/** The local stand-ins for providers, and the samples of every e-mail. */
export const local: Walk = async ({ page, visit, shoot }) => {
  for (const path of [
    '/dev/inbox',
    '/dev/handset',
    '/dev/checkout',
    '/dev/google',
    '/dev/review',
    '/dev/letters',
  ])
    await visit(path, `${path.replace('/dev/', '')}-empty`)
  await signUp(page)
  await page.goto('/dev/inbox')
  await page.getByRole('link').filter({ hasText: '@example.com' }).first().click()
  await page.waitForLoadState('networkidle')
  await shoot('inbox-mail')
}
