const name = 'virtual:languages'

/**
 * A Vite plugin: `virtual:languages` exports each language that this build makes besides English.
 * @param {import('./catalogues.mjs').Language[]} languages
 */
export function builtLanguages(languages) {
  return {
    name: 'built-languages',
    resolveId: id => (id === name ? `\0${name}` : undefined),
    load: id => (id === `\0${name}` ? `export default ${JSON.stringify(languages)}` : undefined),
  }
}
