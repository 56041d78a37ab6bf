import type { APIRoute } from 'astro'
import code from '#components/language-suggestion.ts?inline-script'
import { suggestion } from '#components/language-suggestion-texts.ts'
import { siteLanguages } from '#layouts/page-language.ts'
import { textsIn } from '#lib/i18n/messages.ts'

/** Suggests the reader's language; fetched where the page has another (`src/layouts/frame-script.ts`). */
export const GET: APIRoute = () => {
  const suggestions = siteLanguages.map(language => {
    const { read, dismiss } = textsIn(suggestion, language)
    return [language, [read, dismiss]]
  })
  return new Response(`const suggestions=${JSON.stringify(Object.fromEntries(suggestions))};${code}`, {
    headers: { 'content-type': 'text/javascript' },
  })
}
