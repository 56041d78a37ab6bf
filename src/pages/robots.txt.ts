import type { APIRoute } from 'astro'

/** Pages that are not for search engines say so themselves, which a robot must be let in to read. */
export const GET: APIRoute = ({ site }) =>
  new Response(
    `User-agent: *\nAllow: /\nAllow: /api/docs\nAllow: /api/openapi.json\nDisallow: /api/\n\nSitemap: ${new URL('/sitemap-index.xml', site).href}\n`,
    { headers: { 'content-type': 'text/plain; charset=utf-8' } },
  )
