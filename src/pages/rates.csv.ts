import type { APIRoute } from 'astro'
import { publicRatesHere } from '#components/public-rates.ts'
import { publicRatesCsv } from '#lib/api/public-rates.ts'

export const GET: APIRoute = ({ site, url }) =>
  new Response(publicRatesCsv(publicRatesHere(site ?? url)), {
    headers: { 'content-type': 'text/csv; charset=utf-8' },
  })
