import languages from 'virtual:languages'
import type { APIRoute, GetStaticPaths } from 'astro'
import { imageName, ogCards, plainCards } from '#components/og/cards.ts'
import type { PlainCard } from '#components/og/drawing.ts'
import { drawAll, imageOf } from '#components/og/images.ts'

export const getStaticPaths: GetStaticPaths = async () => {
  // Nobody shares links to their own machine (scripts/site.mjs).
  if (process.env['DRAFT_SITE'] === '1') return []
  const withText = [...(await ogCards())].map(([route, card]) => ({ name: imageName(route), card }))
  const plain = [...plainCards].map(([route, card]) => ({ name: `/plain${imageName(route)}`, card }))
  const images = languages.length === 0 ? withText : [...withText, ...plain]
  if (import.meta.env.PROD) drawAll(images.map(({ card }) => card))
  return images.map(({ name, card }) => ({ params: { route: name.slice(1) }, props: { card } }))
}

export const GET: APIRoute<{ card: PlainCard }> = async ({ props }) =>
  new Response(new Uint8Array(await imageOf(props.card)), { headers: { 'content-type': 'image/png' } })
