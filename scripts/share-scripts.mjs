import { createHash } from 'node:crypto'

const inlineScript = /<script( type="module")?>([^<]+(?:<(?!\/script>)[^<]*)*)<\/script>/g

/** Where a page that can be read without them names its script files: `Later.astro`. */
const waitingList = 'data-later=""'

/** Below this many characters a script costs less in the page than a request. */
const smallest = 1000

/**
 * The pages with the long scripts of their bodies moved into files, which they share: inlined, the framework's
 * script for islands and the watch over pieces that do not load take room in the first packets of every page
 * that has an island. A page with a waiting list gets them there, and the short ones with them. What stands in the head must run before the first paint and stays.
 * @param {readonly { name: string, html: string }[]} pages
 * @returns {{ pages: { name: string, html: string }[], files: Map<string, string> }} `files` by address
 */
export function shareScripts(pages) {
  /** @type {Map<string, string>} */
  const files = new Map()
  const shared = pages.map(({ name, html }) => {
    const bodyStart = Math.max(0, html.indexOf('<body'))
    /** @type {string[]} */
    const moved = []
    const waits = html.includes(waitingList)
    const body = html.slice(bodyStart).replace(inlineScript, (whole, type, script) => {
      if (script.length < smallest && !waits) return whole
      const address = `/_astro/shared.${createHash('sha256').update(script).digest('base64url').slice(0, 8)}.js`
      files.set(address, script)
      moved.push(address)
      return waits ? '' : `<script${type ?? ' async'} src="${address}"></script>`
    })
    const listed = body.replace(waitingList, `data-later="${moved.join(',')}"`)
    return { name, html: html.slice(0, bodyStart) + listed }
  })
  return { pages: shared, files }
}
