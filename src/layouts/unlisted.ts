/** Pages excluded from search engines and the sitemap: private pages, steps of a flow, and local stand-ins. */
const unlistedRoutes = [
  '/billing-history',
  '/call-history',
  '/call-receipt',
  '/check-email',
  '/forgot-password',
  '/heard-about',
  '/offline',
  '/ops',
  '/profile',
  '/receipt',
  '/redeem',
  '/referrals',
  '/reset-password',
  '/verify-email',
  '/email-verified',
  '/404',
]

/** @param route a path of this site, such as `/call` */
export function isUnlisted(route: string): boolean {
  return unlistedRoutes.includes(route) || route.startsWith('/dev/')
}
