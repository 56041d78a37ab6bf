import { hasPage } from './routes.ts'

/** Always shown, or only with (`in`) or without (`out`) a session. */
export type When = 'always' | 'in' | 'out'

export interface NavLink {
  readonly label: string
  readonly href: string
  readonly when: When
  readonly look: 'link' | 'button'
}

function link(label: string, href: string, when: When = 'always', look: NavLink['look'] = 'link'): NavLink {
  return { label, href, when, look }
}

/** Drops links to pages that are not part of this build, so adding a page shows its link. */
function existing(links: readonly NavLink[]): readonly NavLink[] {
  return links.filter(({ href }) => hasPage(href))
}

/** The top navigation, and who sees each link (SPEC-2.23). */
export const mainLinks = existing([
  link('Call', '/call'),
  link('Buy Credits', '/buy-credits'),
  link('Destinations', '/destinations'),
  link('FAQ', '/faq'),
  link('History', '/call-history', 'in'),
  link('Profile', '/profile', 'in'),
  link('Referrals', '/referrals', 'in'),
  link('Login', '/login', 'out'),
  link('Register', '/register', 'out', 'button'),
])

export const quickLinks = existing([
  link('Make a Call', '/call'),
  link('Buy Credits', '/buy-credits'),
  link('Rates', '/buy-credits#calculator'),
  link('FAQ', '/faq'),
  link('Blog', '/blog'),
])

export const contactLinks = existing([link('Contact Us', '/support')])

export const legalLinks = existing([link('Privacy Policy', '/privacy'), link('Terms & Conditions', '/terms')])

export const tabLinks = existing([
  link('Phone', '/call'),
  link('History', '/call-history'),
  link('Profile', '/profile'),
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
  link('Inbox', '/dev/inbox'),
  link('Handset', '/dev/handset'),
  link('Checkout', '/dev/checkout'),
  link('Review', '/dev/review'),
])
