import type { APIRoute, GetStaticPaths } from 'astro'
import { imageName, ogCards } from '#components/og/cards.ts'
import type { OgCard } from '#components/og/drawing.ts'
import { drawAll, imageOf } from '#components/og/images.ts'

export const getStaticPaths: GetStaticPaths = async () => {
  // Nobody shares links to their own machine (scripts/site.mjs).
  if (process.env['DRAFT_SITE'] === '1') return []
  const cards = await ogCards()
  if (import.meta.env.PROD) drawAll(cards.values())
  return [...cards].map(([route, card]) => ({
    params: { route: imageName(route).slice(1) },
    props: { card },
  }))
}

export const GET: APIRoute<{ card: OgCard }> = async ({ props }) =>
  new Response(new Uint8Array(await imageOf(props.card)), { headers: { 'content-type': 'image/png' } })
