import { PurgeCSS } from 'purgecss'
import { statementsOf } from './statements.mjs'

/** @typedef {import('./page.mjs').Page} Page */

/**
 * Removes rules from the pages' inlined CSS that no page of the same kind can use. Pages of a kind were built with the same
 * CSS, and keep it: a kind adds one hash to the security policy, however many pages it has. What a page's scripts may draw
 * later counts as used: their text is read too. Attributes, which change at run time (`open`, `data-session`), never decide.
 * @param {readonly Page[]} pages whose styles are hoisted
 * @param {ReadonlyMap<string, string>} scripts every script file of the site: file name without a folder, and text
 */
export async function trimCss(pages, scripts) {
  const kinds = Map.groupBy(pages, ({ css }) => css)
  const trimmed = [...kinds].map(([css, kind]) => css !== undefined && trimKind(css, kind, scripts))
  await Promise.all(trimmed)
}

/**
 * @param {string} css
 * @param {readonly Page[]} kind
 * @param {ReadonlyMap<string, string>} scripts
 */
async function trimKind(css, kind, scripts) {
  const pageOf = new Map(kind.map(page => [page.source, page]))
  const [result] = await new PurgeCSS().purge({
    content: [
      ...kind.map(({ source }) => ({ raw: source, extension: 'html' })),
      ...reachable(kind, scripts).map(raw => ({ raw, extension: 'js' })),
    ],
    extractors: [
      // The pages are parsed already.
      { extensions: ['html'], extractor: source => partsOf(pageOf.get(source)) },
      { extensions: ['js'], extractor: wordsInStrings },
    ],
    css: [{ raw: css }],
    // Nested rules stay with the rule around them; a bare state such as :focus-visible can match anything.
    safelist: { greedy: [/&/, /^:/] },
    dynamicAttributes: [...new Set(attributesIn(css))],
  })
  if (result === undefined) throw new Error(`${kind[0]?.name}: the style was lost`)
  const smaller = withoutIdleKeyframes(result.css)
  for (const page of kind) page.css = smaller
}

/** @param {string} css */
function attributesIn(css) {
  return [...css.matchAll(/\[([a-z-]+)/g)].map(([, attribute]) => attribute ?? '')
}

/**
 * The texts of the scripts that some pages load, now or later: those they name, those that these name, and so on.
 * @param {readonly Page[]} pages
 * @param {ReadonlyMap<string, string>} scripts
 */
function reachable(pages, scripts) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const unread = pages.flatMap(page => [...addressesIn(page), ...inlineScriptsOf(page).flatMap(stringsIn)])
  for (let text = unread.pop(); text !== undefined; text = unread.pop()) {
    for (const [, name = ''] of text.matchAll(/([\w.-]+\.js)\b/g)) {
      const script = scripts.get(name)
      // React names every tag and renders none of its own.
      if (script === undefined || found.has(name) || name.startsWith('react.')) continue
      found.set(name, script)
      unread.push(...stringsIn(script))
    }
  }
  return [...found.values()]
}

/** @param {Page} page */
function addressesIn(page) {
  return page.elements.flatMap(({ attributes }) =>
    // The renderer draws nothing of its own.
    [...attributes].filter(([name]) => name !== 'renderer-url').map(([, value]) => value),
  )
}

/** @param {Page} page */
function inlineScriptsOf(page) {
  return page.named('script').map(script => page.textOf(script))
}

/**
 * What selectors can match in a page, by kind: the word `input` in a sentence is not a class.
 * @param {Page | undefined} page
 */
function partsOf(page) {
  const elements = page?.elements ?? []
  /** @param {string} name */
  const valuesOf = name => elements.flatMap(({ attributes }) => attributes.get(name) ?? [])
  return {
    tags: elements.map(({ name }) => name),
    classes: valuesOf('class').flatMap(names => names.split(/\s+/)),
    ids: valuesOf('id'),
    attributes: { names: elements.flatMap(({ attributes }) => [...attributes.keys()]), values: [] },
    undetermined: page ? inlineScriptsOf(page).flatMap(wordsInStrings) : [],
  }
}

/** @type {Map<string, readonly string[]>} */
const stringsByScript = new Map()

/**
 * The words in a script's string literals and templates, where class names are; variables are ignored. All words if it does
 * not parse.
 * @param {string} script
 */
function wordsInStrings(script) {
  return [...new Set(stringsIn(script).flatMap(string => string.match(/[\w-]+/g) ?? []))]
}

/**
 * A script's string literals and templates; the whole script if it does not parse.
 * @param {string} script
 */
function stringsIn(script) {
  const known = stringsByScript.get(script)
  if (known !== undefined) return known
  const strings = parseStrings(script)
  stringsByScript.set(script, strings)
  return strings
}

/** @param {string} script */
function parseStrings(script) {
  /** @type {Set<string>} */
  const strings = new Set()
  /** @param {unknown} node */
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

/**
 * CSS without the animations that no rule names.
 * @param {string} css
 */
function withoutIdleKeyframes(css) {
  return css.replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, (keyframes, name) => {
    const isNamed = new RegExp(`\\b${name}\\b`).test(css.replace(keyframes, ''))
    return isNamed ? keyframes : ''
  })
}
