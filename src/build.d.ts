/** Messages of the languages that this build makes besides English; `scripts/build/languages/built-languages.mjs` has them. */
declare module 'virtual:languages' {
  type Messages = Readonly<Record<string, string>>
  /** By tag, scope and key. */
  const languages: Readonly<Record<string, Readonly<Record<string, Messages>>>>
  export default languages
}
