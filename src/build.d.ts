/** The languages that this build makes besides English; `scripts/build/languages/built-languages.mjs` has them. */
declare module 'virtual:languages' {
  interface Language {
    /** BCP 47 */
    readonly tag: string
    /** A native speaker has read every text. */
    readonly reviewed: boolean
    /** Messages by scope and key. */
    readonly scopes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  const languages: readonly Language[]
  export default languages
}
