import { createHash } from 'node:crypto'

/** Data blocks do not run, so a Content-Security-Policy ignores them. */
const dataType = /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|importmap\+json)\b/i

/**
 * The inline scripts and styles of some HTML pages as Content-Security-Policy sources
 * (`'sha256-…'`, with the quotes), each once, in the order of their first use.
 * @param {Iterable<{ name: string, html: string }>} pages
 * @returns {{ scripts: string[], styles: string[] }}
 * @throws Error when a page has a `style` attribute or an event handler attribute, which no hash allows
 */
export function inlineHashes(pages) {
  const scripts = new Set()
  const styles = new Set()
  for (const { name, html } of pages) {
    for (const [, attributes, content] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
      if (!/\bsrc\s*=/i.test(attributes) && !dataType.test(attributes)) scripts.add(sourceOf(content))
    }
    for (const [, content] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/gi)) {
      styles.add(sourceOf(content))
    }
    refuseInlineAttributes(name, html)
  }
  return { scripts: [...scripts], styles: [...styles] }
}

/** @param {string} content */
function sourceOf(content) {
  return `'sha256-${createHash('sha256').update(content, 'utf8').digest('base64')}'`
}

/**
 * @param {string} name
 * @param {string} html
 */
function refuseInlineAttributes(name, html) {
  const markup = html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, '')
  const attribute = /\s(?:style|on[a-z]+)(?=\s*=)/i
  for (const [tag] of markup.matchAll(/<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi)) {
    const found = attribute.exec(tag.replace(/"[^"]*"|'[^']*'/g, '""'))
    if (found) throw new Error(`${name}: the security policy forbids the attribute in ${tag.slice(0, 200)}`)
  }
}
