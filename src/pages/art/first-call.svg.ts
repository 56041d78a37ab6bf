import type { APIRoute } from 'astro'
import { filmPoster } from '#components/landing/film-poster.ts'

export const GET: APIRoute = () =>
  new Response(filmPoster(), { headers: { 'content-type': 'image/svg+xml; charset=utf-8' } })
