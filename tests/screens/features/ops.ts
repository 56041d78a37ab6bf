import { expect } from 'playwright/test'
import { signUpSecured } from '#support/people.ts'
import type { Walk } from '../album.ts'

export const ops: Walk = async ({ page, farline, visit, shoot }) => {
  await visit('/ops', 'signed-out')
  await signUpSecured(page, farline)
  const [link = ''] = (await farline.admin('ops-link', '--as', 'Anna')).split('\n')
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lines')
  await page.waitForLoadState('networkidle')
  await shoot('lines')
}
