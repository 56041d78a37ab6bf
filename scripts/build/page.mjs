import { parse } from 'parse5'

/**
 * An element that is written in a page: one that the parser adds by itself, such as a missing `<head>`, is none.
 * @typedef {object} PageElement
 * @property {string} name
 * @property {ReadonlyMap<string, string>} attributes
 * @property {boolean} isInHead
 * @property {import('parse5').Token.ElementLocation} location where it stands in the source
 */

/**
 * A built page. It is parsed once; what the build changes is cut into its source, which otherwise stays as it is, byte
 * for byte. No two changes may touch the same place.
 */
export class Page {
  /** All styles as one, once they are taken out of the page (`hoistStyles`); `html` puts them back. */
  css = /** @type {string | undefined} */ (undefined)
  /** @type {PageElement[]} in their order, those in templates too */
  elements = []
  #changes = []
  /** Where its styles go. */
  #endOfHead = /** @type {number | undefined} */ (undefined)

  /** @param {string} name of its file, relative to the site, with forward slashes */
  constructor(name, source) {
    this.name = name
    this.source = source
    // As for a browser without scripts: what is in <noscript> counts too.
    this.#read(parse(source, { sourceCodeLocationInfo: true, scriptingEnabled: false }), false)
  }

  #read(parent, isInHead) {
    for (const node of parent.childNodes) {
      if (!('tagName' in node)) continue
      const { tagName: name, attrs, sourceCodeLocation: location } = node
      if (location?.startTag) {
        const attributes = new Map(attrs.map(attribute => [attribute.name, attribute.value]))
        this.elements.push({ name, attributes, isInHead, location })
        if (name === 'head') this.#endOfHead = location.endTag?.startOffset
      }
      const isInside = isInHead || name === 'head'
      this.#read(node, isInside)
      if ('content' in node) this.#read(node.content, isInside)
    }
  }

  named(name) {
    return this.elements.filter(element => element.name === name)
  }

  /** What stands between an element's tags. */
  textOf({ location }) {
    return this.source.slice(location.startTag?.endOffset, location.endTag?.startOffset)
  }

  openingTagOf({ location }) {
    return this.source.slice(location.startTag?.startOffset, location.startTag?.endOffset)
  }

  /** Puts `text` in place of an element and all that is in it. */
  replace({ location }, text) {
    this.#change(location, text)
  }

  /** Gives an element these attributes in place of its own. */
  setAttributes(element, attributes) {
    const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`)
    this.#change(element.location.startTag, `<${element.name}${written.join('')}>`)
    element.attributes = attributes
  }

  /** Changes an attribute that the element has. */
  setAttribute(element, name, value) {
    this.#change(element.location.attrs?.[name], `${name}="${escaped(value)}"`)
  }

  #change(place, text) {
    if (place === undefined) throw new Error(`${this.name}: what is to become ${text} has no place`)
    this.#changes.push({ start: place.startOffset, end: place.endOffset, text })
  }

  /** The page with its changes. */
  get html() {
    const changes = this.#changes.toSorted((one, other) => one.start - other.start)
    if (this.css !== undefined) {
      const start = this.#endOfHead ?? changes[0]?.start ?? 0
      const next = changes.findIndex(change => change.start >= start)
      const style = { start, end: start, text: `<style>${this.css}</style>` }
      changes.splice(next === -1 ? changes.length : next, 0, style)
    }
    let html = ''
    let done = 0
    for (const { start, end, text } of changes) {
      if (start < done) throw new Error(`${this.name}: ${text} changes what is changed already`)
      html += this.source.slice(done, start) + text
      done = end
    }
    return html + this.source.slice(done)
  }
}

function escaped(value) {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
