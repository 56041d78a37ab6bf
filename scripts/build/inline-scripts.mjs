import { build } from 'vite'

const suffix = '?inline-script'

/**
 * A Vite plugin: `import code from './x.ts?inline-script'` gives the bundled and minified module as the text of a
 * script that runs in place. Astro's own script elements are modules, which wait for the page.
 */
export function inlineScripts(plugins) {
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
      return `export default ${JSON.stringify(await bundle(file, plugins))}`
    },
  }
}

async function bundle(entry, plugins) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'page' },
      // The browser fetches files of `public` when the script needs them.
      rolldownOptions: { external: /^\/[\w-]+\.js$/ },
    },
  })
  return output[0].code.trim().replace(/;$/, '')
}
