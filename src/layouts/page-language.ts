import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'
import { pathIn } from '#lib/i18n/path.ts'

type Messages = Readonly<Record<string, string>>

const files = import.meta.glob<Messages>('../languages/*/*.json', { eager: true, import: 'default' })
const catalogues = new Map<string, Record<string, Messages>>()
for (const [path, messages] of Object.entries(files)) {
  const [tag = '', file = ''] = path.split('/').slice(-2)
  const scopes = catalogues.get(tag) ?? {}
  scopes[file.replace('.json', '')] = messages
  catalogues.set(tag, scopes)
}
for (const [tag, scopes] of catalogues) addLanguage(tag, scopes)

/** Renders what follows in the language of a path: `/es/faq` is Spanish, `/faq` English. */
export function renderPageAt(pathname: string): void {
  const [, first = ''] = pathname.replace(/\.html$/, '').split('/')
  renderIn(catalogues.has(first) ? first : sourceLanguage)
}

/** The same page in every language of this build, for search engines; none where the build has one language. */
export function alternatesOf(route: string): readonly { readonly language: string; readonly path: string }[] {
  if (builtLanguages.length === 0) return []
  const all = [sourceLanguage, ...builtLanguages].map(language => ({
    language,
    path: pathIn(language, route),
  }))
  return [...all, { language: 'x-default', path: route }]
}

const rightToLeftScripts: readonly string[] = ['Arab', 'Hebr', 'Thaa']

export function isRightToLeft(language: string): boolean {
  return rightToLeftScripts.includes(new Intl.Locale(language).maximize().script ?? '')
}
