import { googleStartPath } from '#lib/account/google-sign-in.ts'
import { currentLanguage, sourceLanguage } from '#lib/i18n/language.ts'

/** Start of a sign-in with Google, which comes back in the page's language: navigate to it, do not fetch. */
export function googleStart(
  query: Readonly<Partial<Record<'next' | 'referralId' | 'again', string>>> = {},
): string {
  const all = new URLSearchParams(query)
  if (currentLanguage() !== sourceLanguage) all.set('language', currentLanguage())
  return all.size === 0 ? googleStartPath : `${googleStartPath}?${all}`
}
