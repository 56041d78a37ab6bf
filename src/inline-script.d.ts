/** A script as the text that stands in the page; `scripts/build/inline-scripts.mjs` makes it. */
declare module '*?inline-script' {
  const code: string
  export default code
}
