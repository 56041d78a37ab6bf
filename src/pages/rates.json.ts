import type { APIRoute } from 'astro'
import { publicRatesHere } from '#components/public-rates.ts'

export const GET: APIRoute = ({ site, url }) =>
  new Response(JSON.stringify(publicRatesHere(site ?? url)), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
