import type { APIRoute } from 'astro'
import { manifestTexts } from '#components/manifest-texts.ts'
import { company } from '#lib/company.ts'
import { isRightToLeft } from '#lib/i18n/direction.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { localPath } from '#lib/i18n/path.ts'

/** What the app's icon offers when it is held or clicked with the other button. */
const shortcut = (name: string, route: string) => ({
  name,
  url: localPath(route),
  icons: [{ src: '/brand/icon-192.png', sizes: '192x192', type: 'image/png' }],
})

/**
 * How the site looks as an installed app. The colours are those of paper: at night the page's own `theme-color` says otherwise.
 * In every language it is the same app: `id` and `scope` stay.
 */
const manifest = () => ({
  id: '/',
  name: company.name,
  short_name: company.name,
  description: manifestTexts.description,
  lang: currentLanguage(),
  dir: isRightToLeft(currentLanguage()) ? 'rtl' : undefined,
  start_url: localPath('/call'),
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
  protocol_handlers: [{ protocol: 'tel', url: localPath('/call#number=%s') }],
  shortcuts: [
    shortcut(manifestTexts.call, '/call'),
    shortcut(manifestTexts.buyCredits, '/buy-credits'),
    shortcut(manifestTexts.history, '/call-history'),
  ],
})

export const GET: APIRoute = () =>
  new Response(JSON.stringify(manifest()), { headers: { 'content-type': 'application/manifest+json' } })
