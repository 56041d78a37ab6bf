import { hasPage } from './routes.ts'
import type { frame } from './texts.ts'

/** Always shown, or only with (`in`) or without (`out`) a session. */
export type When = 'always' | 'in' | 'out'

type LinkText = keyof typeof frame

export interface NavLink {
  /** Key of its text. */
  readonly label: LinkText
  readonly href: string
  readonly when: When
  readonly look: 'link' | 'button'
}

function link(label: LinkText, href: string, when: When = 'always', look: NavLink['look'] = 'link'): NavLink {
  return { label, href, when, look }
}

/** Drops links to pages that are not part of this build, so adding a page shows its link. */
function existing<Link extends { readonly href: string }>(links: readonly Link[]): readonly Link[] {
  return links.filter(({ href }) => hasPage(href))
}

/** The top navigation, and who sees each link (SPEC-2.23). */
export const mainLinks = existing([
  link('call', '/call'),
  link('buyCredits', '/buy-credits'),
  link('destinations', '/destinations'),
  link('faq', '/faq'),
  link('history', '/call-history', 'in'),
  link('profile', '/profile', 'in'),
  link('referrals', '/referrals', 'in'),
  link('login', '/login', 'out'),
  link('register', '/register', 'out', 'button'),
])

export const quickLinks = existing([
  link('makeCall', '/call'),
  link('buyCredits', '/buy-credits'),
  link('rates', '/buy-credits#calculator'),
  link('faq', '/faq'),
  link('blog', '/blog'),
])

export const contactLinks = existing([link('contactUs', '/support')])

export const legalLinks = existing([link('privacy', '/privacy'), link('terms', '/terms')])

export const tabLinks = existing([
  link('phone', '/call'),
  link('history', '/call-history'),
  link('profile', '/profile'),
])

/** Pages without a link of their own, and the link under which they stand. */
const sections: Readonly<Record<string, string>> = {
  '/billing-history': '/call-history',
  '/call-receipt': '/call-history',
  '/receipt': '/call-history',
}

/** For `aria-current` of a link: it leads to the page itself, or to the section that the page is in. */
export function currentOf(href: string, route: string): 'page' | 'true' | undefined {
  if (href === route) return 'page'
  return href === sections[route] ? 'true' : undefined
}

/** Stand-ins of the development server. */
export const localLinks = existing([
  { label: 'Inbox', href: '/dev/inbox' },
  { label: 'Handset', href: '/dev/handset' },
  { label: 'Checkout', href: '/dev/checkout' },
  { label: 'Review', href: '/dev/review' },
])
