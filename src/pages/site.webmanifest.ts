import type { APIRoute } from 'astro'
import { company } from '#lib/company.ts'

/** What the app's icon offers when it is held or clicked with the other button. */
const shortcut = (name: string, url: string) => ({
  name,
  url,
  icons: [{ src: '/brand/icon-192.png', sizes: '192x192', type: 'image/png' }],
})

/** How the site looks as an installed app. The colours are those of paper: at night the page's own `theme-color` says otherwise. */
const manifest = {
  id: '/',
  name: company.name,
  short_name: company.name,
  description: company.tagline,
  lang: 'en',
  start_url: '/call',
  scope: '/',
  display: 'standalone',
  background_color: '#f4efe3',
  theme_color: '#f4efe3',
  icons: [
    { src: '/brand/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/brand/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/brand/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/brand/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
  // The dialler understands what telephone links hold.
  protocol_handlers: [{ protocol: 'tel', url: '/call#number=%s' }],
  shortcuts: [
    shortcut('Call', '/call'),
    shortcut('Buy credits', '/buy-credits'),
    shortcut('History', '/call-history'),
  ],
}

export const GET: APIRoute = () =>
  new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } })
