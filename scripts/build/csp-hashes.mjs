import { createHash } from 'node:crypto'
import { Page } from './page.mjs'

/** Data blocks do not run, so a Content-Security-Policy ignores them. */
const dataTypes = new Set(['application/json', 'application/ld+json'])

/**
 * The inline scripts and styles of HTML pages as Content-Security-Policy sources (`'sha256-…'`, with the quotes),
 * each once, in the order of their first use.
 * @param {Iterable<{ name: string, html: string }>} pages as they are served
 * @returns {{ scripts: string[], styles: string[] }}
 * @throws Error when a page has a `style` attribute or an event handler attribute, which no hash allows
 */
export function inlineHashes(pages) {
  const scripts = new Set()
  const styles = new Set()
  for (const { name, html } of pages) {
    const page = new Page(name, html)
    for (const script of page.named('script')) {
      if (!script.attributes.has('src') && !isData(script)) scripts.add(sourceOf(page.textOf(script)))
    }
    for (const style of page.named('style')) styles.add(sourceOf(page.textOf(style)))
    refuseInlineAttributes(page)
  }
  return { scripts: [...scripts], styles: [...styles] }
}

function isData({ attributes }) {
  return dataTypes.has(attributes.get('type')?.trim().toLowerCase() ?? '')
}

function sourceOf(content) {
  return `'sha256-${createHash('sha256').update(content, 'utf8').digest('base64')}'`
}

function refuseInlineAttributes(page) {
  for (const element of page.elements) {
    for (const attribute of element.attributes.keys()) {
      if (attribute !== 'style' && !/^on[a-z]/.test(attribute)) continue
      const tag = page.openingTagOf(element).slice(0, 200)
      throw new Error(`${page.name}: the security policy forbids the attribute in ${tag}`)
    }
  }
}
