import { createHash } from 'node:crypto'

/** Data blocks do not run, so a Content-Security-Policy ignores them. */
const dataTypes = new Set(['application/json', 'application/ld+json'])

/**
 * The inline scripts of a page, as it is served, as Content-Security-Policy sources (`'sha256-…'`, with the quotes), each once, in
 * the order of their first use.
 * @param {import('./page.mjs').Page} page
 * @returns {string[]}
 * @throws Error when the page has a `style` attribute or an event handler attribute, which no hash allows
 */
export function scriptHashes(page) {
  refuseInlineAttributes(page)
  const inline = page
    .named('script')
    .filter(script => !(script.attributes.has('src') || isData(script) || page.isReplaced(script)))
  return [...new Set(inline.map(script => hashOf(page.textOf(script))))]
}

/** Whether a script only holds data. */
export function isData({ attributes }) {
  return dataTypes.has(attributes.get('type')?.trim().toLowerCase() ?? '')
}

/** An inline script or style as a source. */
export function hashOf(content) {
  return `'sha256-${createHash('sha256').update(content, 'utf8').digest('base64')}'`
}

function refuseInlineAttributes(page) {
  for (const element of page.elements) {
    for (const attribute of element.attributes.keys()) {
      if (!/^(?:style$|on[a-z])/i.test(attribute)) continue
      const tag = page.openingTagOf(element).slice(0, 200)
      throw new Error(`${page.name}: the security policy forbids the attribute in ${tag}`)
    }
  }
}
