/** BCP 47 tag of the language that the source texts are written in. */
export const sourceLanguage = 'en'

let rendered: string = sourceLanguage

/** Sets the language of the page that is about to be rendered. Pages are rendered one after the other. */
export function renderIn(language: string): void {
  rendered = language
}

interface Page {
  readonly document?: { readonly documentElement: { readonly lang: string } }
}

/** The language of the page that is rendered, or, in a browser, shown. */
export function currentLanguage(): string {
  return (globalThis as Page).document?.documentElement.lang || rendered
}

/** The language with the digits of telephone keys, whatever digits it writes otherwise. */
export function withLatinDigits(language: string): string {
  return `${language}-u-nu-latn`
}
