import { Parser } from 'htmlparser2'

/**
 * Where something stands in a page's source.
 * @typedef {{ startOffset: number, endOffset: number }} Place
 */

/**
 * An element that is written in a page: one that the parser adds by itself, such as a missing `</p>`, is none.
 * @typedef {object} PageElement
 * @property {string} name
 * @property {ReadonlyMap<string, string>} attributes
 * @property {boolean} isInHead
 * @property {boolean} isInTemplate its scripts do not run where they stand
 * @property {Place & { startTag: Place, endTag?: Place, attrs: Readonly<Record<string, Place>> }} location
 */

/**
 * A built page. It is parsed once; what the build changes is cut into its source, which otherwise stays as it is, byte
 * for byte. No two changes may touch the same place.
 */
export class Page {
  /** All styles as one, taken out of the source (`hoistStyles`); `html` puts them at the end of the head. */
  css = /** @type {string | undefined} */ (undefined)
  /** @type {PageElement[]} in their order, those in templates too */
  elements = []
  /** @type {{ start: number, end: number, text: string | (() => string) }[]} */
  #changes = []
  /** Where its styles go. */
  #endOfHead = /** @type {number | undefined} */ (undefined)
  /** @type {(Buffer | (() => string))[] | undefined} */
  #sealed

  /** @param {string} name of its file, relative to the site, with forward slashes */
  constructor(name, source) {
    this.name = name
    this.source = source
    this.#read()
  }

  /** As a browser without scripts does: what is in <noscript> counts too. */
  #read() {
    /** @type {PageElement[]} */
    const open = []
    let attrs = {}
    const handlers = {
      onopentagname: () => {
        attrs = {}
      },
      onattribute: name => {
        attrs[name] ??= { startOffset: parser.startIndex, endOffset: parser.endIndex }
      },
      onopentag: (name, attributes, isImplied) => {
        const startTag = { startOffset: parser.startIndex, endOffset: parser.endIndex + 1 }
        const isIn = parent => open.some(each => each.name === parent)
        const location = { ...startTag, startTag, attrs }
        const element = {
          name,
          attributes: new Map(Object.entries(attributes)),
          isInHead: isIn('head'),
          isInTemplate: isIn('template'),
          location,
        }
        open.push(element)
        if (!isImplied) this.elements.push(element)
      },
      onclosetag: (name, isImplied) => {
        const { location } = open.pop()
        const endTag = { startOffset: parser.startIndex, endOffset: parser.endIndex + 1 }
        if (isImplied) location.endOffset = Math.max(location.endOffset, endTag.startOffset)
        else Object.assign(location, { endTag, endOffset: endTag.endOffset })
        if (name === 'head') this.#endOfHead = location.endTag?.startOffset
      },
    }
    // SVG has names such as `viewBox`.
    const parser = new Parser(handlers, { lowerCaseAttributeNames: false })
    parser.end(this.source)
  }

  named(name) {
    return this.elements.filter(element => element.name === name)
  }

  /** What stands between an element's tags. */
  textOf({ location }) {
    return this.source.slice(location.startTag.endOffset, location.endTag?.startOffset)
  }

  openingTagOf({ location }) {
    return this.source.slice(location.startTag.startOffset, location.startTag.endOffset)
  }

  /**
   * Puts `text` in place of an element and all that is in it.
   * @param {PageElement} element
   * @param {string | (() => string)} text a function is called when the page is written
   */
  replace({ location }, text) {
    this.#change(location, text)
  }

  isReplaced({ location }) {
    return this.#changes.some(({ start }) => start === location.startOffset)
  }

  /** Gives an element these attributes in place of its own. */
  setAttributes(element, attributes) {
    const written = [...attributes].map(([name, value]) => attribute(name, value))
    this.#change(element.location.startTag, `<${[element.name, ...written].join(' ')}>`)
    element.attributes = attributes
  }

  /**
   * Changes an attribute that the element has.
   * @param {PageElement} element
   * @param {string} name
   * @param {string | (() => string)} value a function is called when the page is written
   */
  setAttribute(element, name, value) {
    const text = typeof value === 'string' ? attribute(name, value) : () => attribute(name, value())
    this.#change(element.location.attrs[name], text)
  }

  /** @param {Place | undefined} place */
  #change(place, text) {
    if (place === undefined) throw new Error(`${this.name}: what is to become ${text} has no place`)
    this.#changes.push({ start: place.startOffset, end: place.endOffset, text })
  }

  /**
   * Forgets the elements, which take ten times the page's own room. What is still open is its styles, and changes that are
   * functions.
   */
  seal() {
    const parts = []
    for (const part of this.#parts()) {
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
      else parts.push(part)
    }
    this.#sealed = parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part))
    this.elements = []
    this.source = ''
  }

  /** The page with its changes. */
  get html() {
    const parts = this.#sealed ?? this.#parts()
    return parts.map(part => (typeof part === 'function' ? part() : part.toString())).join('')
  }

  /** @returns {(string | (() => string))[]} */
  #parts() {
    const changes = this.#changes.toSorted((one, other) => one.start - other.start)
    if (this.css !== undefined) {
      const start = this.#endOfHead ?? changes[0]?.start ?? 0
      const next = changes.findIndex(change => change.start >= start)
      const style = { start, end: start, text: () => `<style>${this.css}</style>` }
      changes.splice(next === -1 ? changes.length : next, 0, style)
    }
    const parts = []
    let done = 0
    for (const { start, end, text } of changes) {
      if (start < done) throw new Error(`${this.name}: ${text} changes what is changed already`)
      parts.push(this.source.slice(done, start), text)
      done = end
    }
    return [...parts, this.source.slice(done)]
  }
}

function attribute(name, value) {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
}
