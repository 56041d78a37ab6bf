import { isRightToLeft } from '#lib/i18n/direction.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { localPath } from '#lib/i18n/path.ts'
import { hasPage } from './routes.ts'

/** HTML that was made from Markdown, with links that lead to pages of the reader's language. */
export function withLocalLinks(html: string): string {
  return html.replace(/(<a href=")(\/[^"]*)/g, (_, start: string, href: string) =>
    hasPage(href) && !href.startsWith('/api/') ? start + localPath(href) : start + href,
  )
}

const amountOrNumber = /\+\d[\d ]*\d|[\d.,]+[ \u00a0]US\$/g

/** Keeps amounts and telephone numbers from left to right in a text that runs the other way. */
export function withIsolatedNumbers(html: string): string {
  if (!isRightToLeft(currentLanguage())) return html
  return html.replace(amountOrNumber, number => `<bdi dir="ltr">${number}</bdi>`)
}
