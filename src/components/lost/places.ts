// @vocabulary words: they are words of a language.
import { localPath } from '#lib/i18n/path.ts'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { countryEntries } from '#lib/numbers/country-entries.ts'
import { legalTitles } from '../legal/texts.ts'
import { hasPage } from '../routes.ts'
import { frame } from '../texts.ts'
import { lost } from './texts.ts'

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
export function places(): readonly Place[] {
  return [
    place(frame.makeCall, '/call', 'call dial phone app start'),
    place(lost.destinations, '/destinations', 'destination rate price countr pricing tariff calling'),
    place(frame.buyCredits, '/buy-credits', 'buy credit pay topup top checkout calculator'),
    place(frame.faq, '/faq', 'faq question help how'),
    place(frame.contactUs, '/support', 'support contact about email mail chat'),
    place(frame.blog, '/blog', 'blog post article news guide'),
    place(frame.login, '/login', 'login signin sign logon account'),
    place(frame.register, '/register', 'register signup join registration'),
    place(lost.callHistory, '/call-history', 'callhistory history calls log'),
    place(legalTitles.terms, '/terms', 'term condition legal tos'),
    place(legalTitles.privacy, '/privacy', 'priva gdpr data'),
    place(legalTitles.refunds, '/refunds', 'refund money guarantee cancel'),
    place(legalTitles.cookies, '/cookies', 'cookie'),
    place(legalTitles.complaints, '/complaints', 'complain'),
    place(legalTitles['fair-use'], '/fair-use', 'fair abuse'),
    place(legalTitles['emergency-calls'], '/emergency-calls', 'emergenc'),
  ]
    .filter(({ href }) => hasPage(href))
    .map(each => ({ ...each, href: localPath(each.href) }))
}

const englishNames = new Map(countryEntries.map(([name, isoCode]) => [isoCode, name]))

/** Lower-case letters alone, as an address has them. */
function lettersOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

/** Word to place, as the page carries it: the pages above, and each country's by its name in English and in the page's language. */
export function placesByWord(): readonly (readonly [word: string, label: string, href: string])[] {
  const countries = [...countriesByIso].flatMap(([isoCode, [{ name }]]) => {
    const href = `/calling/${isoCode.toLowerCase()}`
    if (!hasPage(href)) return []
    const words = new Set([englishNames.get(isoCode) ?? name, name].map(lettersOf))
    words.delete('')
    return [...words].map(word => [word, lost.callsTo({ place: name }), localPath(href)] as const)
  })
  return [
    ...places().flatMap(({ label, href, words }) => words.map(word => [word, label, href] as const)),
    ...countries,
  ]
}
