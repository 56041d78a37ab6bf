import { createRequire } from 'node:module'

const suffix = '?inline-script'

/** Astro's own Vite: a second one, of another version, would compile scripts in another way. */
const vite = createRequire(createRequire(import.meta.url).resolve('astro/package.json')).resolve('vite')

/**
 * A Vite plugin: `import code from './x.ts?inline-script'` gives the module, bundled and minified, as the text
 * of a script that runs where it stands. Astro's own script elements are modules, which wait for the page.
 * @returns {import('astro').ViteUserConfig['plugins'][number]}
 */
export function inlineScripts() {
  return {
    name: 'inline-scripts',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(suffix)) return undefined
      const resolved = await this.resolve(source.slice(0, -suffix.length), importer)
      return resolved && `${resolved.id}${suffix}`
    },
    async load(id) {
      if (!id.endsWith(suffix)) return undefined
      const file = id.slice(0, -suffix.length)
      this.addWatchFile(file)
      return `export default ${JSON.stringify(await bundle(file))}`
    },
  }
}

/** @param {string} entry */
async function bundle(entry) {
  const { build } = await import(vite)
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'page' } },
  })
  return output[0].code.trim().replace(/;$/, '')
}
