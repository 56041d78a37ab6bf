import type { APIRoute } from 'astro'
import { openApiDocument } from '#lib/openapi/document.ts'

export const GET: APIRoute = () =>
  new Response(JSON.stringify(openApiDocument()), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
