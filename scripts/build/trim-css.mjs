// @vocabulary words: they are words of a language.
import { PurgeCSS } from 'purgecss'
import { memoised } from '../../src/lib/memoised.ts'
import { isData } from './csp-hashes.mjs'
import { sourceOfCopy } from './languages/localise.mjs'
import { statementsOf } from './statements.mjs'

/**
 * Removes rules from the pages' inlined CSS that no page of the same kind can use. Pages of a kind have the same CSS,
 * and keep it: a kind adds one hash to the security policy. What a page's scripts may draw later counts as used: their
 * text is read too. Attributes, which change at run time (`open`, `data-session`), never decide.
 */
export class Kinds {
  #kinds = new Map()

  /**
   * Reads a page, which may be sealed afterwards.
   * @param {import('./page.mjs').Page} page
   */
  add(page) {
    if (page.css === undefined) return
    let kind = this.#kinds.get(page.css)
    if (kind === undefined) {
      kind = { css: page.css, pages: [], parts: partsOfNothing(), scripts: new Set() }
      this.#kinds.set(page.css, kind)
    }
    // One text for all of them.
    page.css = kind.css
    kind.pages.push(page)
    addParts(kind.parts, page)
    for (const name of scriptsNamedIn(page)) kind.scripts.add(name)
  }

  /** @param {ReadonlyMap<string, string>} scripts every script file of the site: file name without a folder, and text */
  async trim(scripts) {
    const linked = reachable(scriptNamesIn(linkedBy(scripts)), scripts)
      .flatMap(wordsInStrings)
      .filter(isOfModule)
    for (const kind of this.#kinds.values()) {
      const css = await trimmed(kind, scripts, linked)
      for (const page of kind.pages) page.css = css
    }
  }
}

async function trimmed({ css, pages, parts, scripts: named }, scripts, linked) {
  const words = reachable(named, scripts).flatMap(wordsInStrings)
  const all = {
    tags: [...parts.tags],
    classes: [...parts.classes],
    ids: [...parts.ids],
    attributes: { names: [...parts.attributes], values: [] },
    undetermined: [...new Set([...parts.words, ...words, ...linked])],
  }
  const [result] = await new PurgeCSS().purge({
    content: [{ raw: '', extension: 'parsed' }],
    extractors: [{ extensions: ['parsed'], extractor: () => all }],
    css: [{ raw: css }],
    // Nested rules stay with the rule around them; a bare state such as :focus-visible can match anything.
    safelist: { greedy: [/&/, /^:/] },
    dynamicAttributes: [...new Set(attributesIn(css))],
  })
  if (result === undefined) throw new Error(`${pages[0]?.name}: the style was lost`)
  return withoutIdleKeyframes(result.css)
}

function attributesIn(css) {
  return [...css.matchAll(/\[([a-z-]+)/g)].map(([, attribute]) => attribute ?? '')
}

/** What links the sheet of all components itself: of its parts, only the classes of CSS modules count. */
const linksAll = 'linked-sheet.'

function linkedBy(scripts) {
  return [...scripts].filter(([name]) => name.startsWith(linksAll)).flatMap(([, text]) => stringsIn(text))
}

/** A class of a CSS module, such as `_ring_1psg1_1`. */
function isOfModule(word) {
  return /^_.+_\w{5}_\d+$/.test(word)
}

function scriptsNamedIn(page) {
  // The renderer draws nothing of its own.
  const addresses = page.elements.flatMap(({ attributes }) =>
    [...attributes].filter(([name]) => name !== 'renderer-url').map(([, value]) => value),
  )
  return scriptNamesIn([...addresses, ...inlineScriptsOf(page).flatMap(stringsIn)])
}

function scriptNamesIn(texts) {
  // A language's copy of a script draws the same.
  return texts.flatMap(text => (text.match(/[\w.-]+\.js\b/g) ?? []).map(sourceOfCopy))
}

/** React names every tag and renders none of its own. */
const skipped = ['react.', linksAll]

/** The texts of the scripts of these names, of those that they name, now or later, and so on. */
function reachable(names, scripts) {
  const found = new Map()
  const unread = [...names]
  for (let name = unread.pop(); name !== undefined; name = unread.pop()) {
    const script = scripts.get(name)
    if (script === undefined || found.has(name) || skipped.some(start => name.startsWith(start))) continue
    found.set(name, script)
    unread.push(...scriptNamesIn(stringsIn(script)))
  }
  return [...found.values()]
}

function inlineScriptsOf(page) {
  return page
    .named('script')
    .filter(script => !isData(script))
    .map(script => page.textOf(script))
}

function partsOfNothing() {
  return { tags: new Set(), classes: new Set(), ids: new Set(), attributes: new Set(), words: new Set() }
}

/** Adds what selectors can match in a page, by kind: the word `input` in a sentence is not a class. */
function addParts(parts, page) {
  for (const { name, attributes } of page.elements) {
    parts.tags.add(name)
    for (const attribute of attributes.keys()) parts.attributes.add(attribute)
    for (const each of attributes.get('class')?.split(/\s+/) ?? []) parts.classes.add(each)
    const id = attributes.get('id')
    if (id !== undefined) parts.ids.add(id)
  }
  for (const script of inlineScriptsOf(page)) for (const word of wordsInStrings(script)) parts.words.add(word)
}

/** The words in a script's string literals and templates, where class names are; all words if it does not parse. */
const wordsInStrings = memoised(script => [
  ...new Set(stringsIn(script).flatMap(string => string.match(/[\w-]+/g) ?? [])),
])

/** A script's string literals and templates; the whole script if it does not parse. */
const stringsIn = memoised(parseStrings)

function parseStrings(script) {
  const strings = new Set()
  const visit = node => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      strings.add(node.value)
    if ('cooked' in node && typeof node.cooked === 'string') strings.add(node.cooked)
    for (const child of Object.values(node)) visit(child)
  }
  try {
    visit(statementsOf(script))
  } catch {
    return [script]
  }
  return [...strings]
}

/** CSS without the animations that no rule names. */
function withoutIdleKeyframes(css) {
  return css.replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, (keyframes, name) => {
    const isNamed = new RegExp(`\\b${name}\\b`).test(css.replace(keyframes, ''))
    return isNamed ? keyframes : ''
  })
}
