import type { APIRoute } from 'astro'
import code from '#components/misspellings-script.ts?inline-script'

/** The search of `/destinations` with the rule of misspellings, fetched once a name finds nothing. */
export const GET: APIRoute = () => new Response(code, { headers: { 'content-type': 'text/javascript' } })
