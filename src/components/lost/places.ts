import { countriesByIso } from '#lib/numbers/countries.ts'
import { hasPage } from '../routes.ts'

/** Where somebody who typed an address wrongly may have meant to go. */
export interface Place {
  readonly label: string
  readonly href: string
  /** What the address may be made of: lower-case letters alone. Longer words than these count too. */
  readonly words: readonly string[]
}

function place(label: string, href: string, words: string): Place {
  return { label, href, words: words.split(' ') }
}

/** The likely ones first; only pages of this build. */
export const places: readonly Place[] = [
  place('Make a Call', '/call', 'call dial phone app start'),
  place('Destinations and rates', '/destinations', 'destination rate price countr pricing tariff calling'),
  place('Buy Credits', '/buy-credits', 'buy credit pay topup top checkout calculator'),
  place('FAQ', '/faq', 'faq question help how'),
  place('Contact Us', '/support', 'support contact about email mail chat'),
  place('Blog', '/blog', 'blog post article news guide'),
  place('Login', '/login', 'login signin sign logon account'),
  place('Register', '/register', 'register signup join registration'),
  place('Call history', '/call-history', 'callhistory history calls log'),
  place('Terms & Conditions', '/terms', 'term condition legal tos'),
  place('Privacy Policy', '/privacy', 'priva gdpr data'),
  place('Refunds', '/refunds', 'refund money guarantee cancel'),
  place('Cookies', '/cookies', 'cookie'),
  place('Complaints code', '/complaints', 'complain'),
  place('Fair use', '/fair-use', 'fair abuse'),
  place('Emergency calls', '/emergency-calls', 'emergenc'),
].filter(({ href }) => hasPage(href))

/** Word to place, as the page carries it: the pages above, and each country's by its name and code. */
export function placesByWord(): readonly (readonly [word: string, label: string, href: string])[] {
  const countries = [...countriesByIso].flatMap(([isoCode, [{ name }]]) => {
    const href = `/calling/${isoCode.toLowerCase()}`
    const word = name
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/g, '')
    return hasPage(href) ? [[word, `Calls to ${name}`, href] as const] : []
  })
  return [
    ...places.flatMap(({ label, href, words }) => words.map(word => [word, label, href] as const)),
    ...countries,
  ]
}
