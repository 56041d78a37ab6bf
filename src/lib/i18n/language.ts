/** BCP 47 tag of the language that the source texts are written in. */
export const sourceLanguage = 'en'

let serverLanguage: () => string = () => sourceLanguage

/** Sets the language of the page that is about to be rendered. Pages are rendered one after the other. */
export function renderIn(language: string): void {
  readLanguageFrom(() => language)
}

/** For a server, which answers requests in several languages at once. @param language that of the running request */
export function readLanguageFrom(language: () => string): void {
  serverLanguage = language
}

interface Page {
  readonly document?: { readonly documentElement: { readonly lang: string } }
}

/** The language of the page that is shown, in a browser; else of the page that is rendered or the request that is answered. */
export function currentLanguage(): string {
  return (globalThis as Page).document?.documentElement.lang || serverLanguage()
}

/** The language with the digits of telephone keys, whatever digits it writes otherwise. */
export function withLatinDigits(language: string): string {
  return `${language}-u-nu-latn`
}
