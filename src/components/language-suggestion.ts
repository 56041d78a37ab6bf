import { bestLanguage } from '#lib/i18n/best-language.ts'
import { splitPath } from '#lib/i18n/path.ts'

/** Beside each language of the site the text of its link and of its button; `src/pages/languages.js.ts` puts them before this code. */
declare const suggestions: Readonly<Record<string, readonly [read: string, dismiss: string]>>

const language = document.documentElement.lang

/** The language that the reader chose before, else the first of the browser's that the site has. */
function wantedLanguage(): string | undefined {
  return bestLanguage([localStorage['language'] ?? '', ...navigator.languages], Object.keys(suggestions))
}

/** Whether the reader came from a page of this site in another language: they chose this one there. */
function isChosen(): boolean {
  if (!document.referrer.startsWith(`${location.origin}/`)) return false
  const { pathname } = new URL(document.referrer)
  return splitPath(pathname, Object.keys(suggestions)).language !== language
}

/** Offers this page in another language. Whoever declines has chosen this one. */
function suggest(wanted: string): void {
  const link = document.querySelector<HTMLAnchorElement>(`.languages a[hreflang="${wanted}"]`)
  const [read, dismiss] = suggestions[wanted] ?? []
  if (!link || !read || !dismiss) return
  const bar = document.createElement('aside')
  bar.className = 'note suggestion'
  bar.lang = wanted
  bar.dir = 'auto'
  const anchor = document.createElement('a')
  anchor.href = link.href
  anchor.textContent = read
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = dismiss
  button.onclick = () => {
    localStorage['language'] = language
    bar.remove()
  }
  bar.append(anchor, button)
  document.body.append(bar)
}

function begin(): void {
  if (isChosen()) localStorage['language'] = language
  const wanted = wantedLanguage()
  if (wanted && wanted !== language) suggest(wanted)
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
else begin()
