import { createHash } from 'node:crypto'

const runtime = /<script>((?:(?!<\/script>)[\s\S])*?customElements\.define\("astro-island"[\s\S]*?)<\/script>/

/**
 * The pages with the framework's script for islands moved into a file, which they share: inlined, its 4 KB
 * would take room in the first packets of every page that has an island, before anything that is read.
 * @param {readonly { name: string, html: string }[]} pages
 * @returns {{ pages: { name: string, html: string }[], files: Map<string, string> }} `files` by address
 */
export function shareIslandRuntime(pages) {
  /** @type {Map<string, string>} */
  const files = new Map()
  const shared = pages.map(({ name, html }) => {
    const lighter = html.replace(runtime, (_, /** @type {string} */ script) => {
      const address = `/_astro/island.${createHash('sha256').update(script).digest('base64url').slice(0, 8)}.js`
      files.set(address, script)
      return `<script async src="${address}"></script>`
    })
    return { name, html: lighter }
  })
  return { pages: shared, files }
}
