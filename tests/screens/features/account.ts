import { newAddress, password } from '#support/people.ts'
import type { Walk } from '../album.ts'

export const account: Walk = async ({ page, visit, shoot }) => {
  for (const path of [
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password/an-old-one',
    '/check-email',
    '/verify-email',
    '/email-verified',
  ])
    await visit(path)
  const main = page.getByRole('main')
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await main.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForLoadState('networkidle')
  await shoot('login-rejected')
  await page.goto('/register')
  await page.getByLabel('E-mail').fill(newAddress('new'))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await main.getByRole('button', { name: 'Register', exact: true }).click()
  await page.waitForURL('**/check-email')
  await shoot('check-email-sent')
  await visit('/heard-about')
}
