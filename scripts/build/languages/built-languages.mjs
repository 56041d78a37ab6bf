const name = 'virtual:languages'

/**
 * A Vite plugin: `virtual:languages` exports the messages of each language that this build makes besides English, by tag.
 * @param {import('./catalogues.mjs').Language[]} languages
 */
export function builtLanguages(languages) {
  const scopes = Object.fromEntries(languages.map(language => [language.tag, language.scopes]))
  return {
    name: 'built-languages',
    resolveId: id => (id === name ? `\0${name}` : undefined),
    load: id => (id === `\0${name}` ? `export default ${JSON.stringify(scopes)}` : undefined),
  }
}
