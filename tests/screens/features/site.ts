import type { Walk } from '../album.ts'

const paths = [
  '/',
  '/destinations',
  '/calling/in',
  '/calling/us',
  '/faq',
  '/support',
  '/blog',
  '/blog/why-a-leading-zero-breaks-an-international-number',
  '/terms',
  '/privacy',
  '/refunds',
  '/emergency-calls',
  '/api/docs',
  '/offline',
  '/nowhere',
]

export const site: Walk = async ({ page, visit, shoot }) => {
  for (const path of paths) await visit(path)
  await page.goto('/destinations')
  await page.getByPlaceholder('Search countries...').fill('zzz')
  await shoot('destinations-nothing-found')
  await page.goto('/faq')
  await page.getByRole('searchbox', { name: 'Search questions' }).fill('refund')
  await shoot('faq-search')
}
