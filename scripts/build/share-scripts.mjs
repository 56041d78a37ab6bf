import { createHash } from 'node:crypto'

const inlineScript = /<script( type="module")?>([^<]+(?:<(?!\/script>)[^<]*)*)<\/script>/g

/** Attribute for the script file of a page that is readable without it: `Later.astro`. */
const waiting = 'data-later=""'

/** Characters. A shorter script costs less inline than as a request. */
const smallest = 1000

/**
 * Moves long scripts out of the page bodies into shared files: inlined, the framework's script for islands and the watch
 * over chunks that fail to load fill the first packets of every page with an island. A page that waits gets all its scripts
 * in one file, in order. Scripts in the head must run before the first paint and stay.
 * @param {readonly { name: string, html: string }[]} pages
 * @returns {{ pages: { name: string, html: string }[], files: Map<string, string> }} `files` by address
 * @throws {Error} when a script of a page that waits imports another
 */
export function shareScripts(pages) {
  /** @type {Map<string, string>} */
  const files = new Map()
  /** @param {string} script */
  const keep = script => {
    const address = `/_astro/shared.${createHash('sha256').update(script).digest('base64url').slice(0, 8)}.js`
    files.set(address, script)
    return address
  }
  const shared = pages.map(({ name, html }) => {
    const bodyStart = Math.max(0, html.indexOf('<body'))
    const [head, body] = [html.slice(0, bodyStart), html.slice(bodyStart)]
    if (!html.includes(waiting)) {
      const moved = body.replace(inlineScript, (whole, type, script) =>
        script.length < smallest ? whole : `<script${type ?? ' async'} src="${keep(script)}"></script>`,
      )
      return { name, html: head + moved }
    }
    /** @type {string[]} */
    const held = []
    const rest = body.replace(inlineScript, (_whole, _type, script) => {
      held.push(script)
      return ''
    })
    return { name, html: head + rest.replace(waiting, `data-later="${keep(oneAfterTheOther(held))}"`) }
  })
  return { pages: shared, files }
}

/**
 * Joins scripts into one module, each in a block for its own names.
 * @param {readonly string[]} scripts
 */
function oneAfterTheOther(scripts) {
  const importing = scripts.find(script => /(?:^|[;}])\s*import(?:\s*["'{*]|\s+\w)/.test(script))
  if (importing !== undefined)
    throw new Error(`a script that imports cannot wait: ${importing.slice(0, 100)}`)
  return scripts.map(script => `{${script}\n}`).join('\n')
}
