/** Every engraving in every ink: a picture cannot take the page's colour. */
import type { APIRoute } from 'astro'
import { type Art, arts, engraving, type Ink, inks } from '#components/blog/engravings.ts'

interface Props {
  art: Art
  ink: Ink
}

export function getStaticPaths() {
  return arts.flatMap(art =>
    inks.map(ink => ({ params: { engraving: `${art}-${ink}` }, props: { art, ink } })),
  )
}

export const GET: APIRoute<Props> = ({ props: { art, ink } }) =>
  new Response(engraving(art, ink), { headers: { 'content-type': 'image/svg+xml' } })
