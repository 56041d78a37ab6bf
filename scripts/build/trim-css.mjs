import { createRequire } from 'node:module'
import { PurgeCSS } from 'purgecss'

/** Astro's own Vite, whose parser has already parsed these scripts. */
const vite = createRequire(createRequire(import.meta.url).resolve('astro/package.json')).resolve('vite')
const { parseAst } = await import(vite)

/** @typedef {{ name: string, html: string }} Page */

const inlineStyle = /<style\b([^>]*)>([\s\S]*?)<\/style>/g

/**
 * Removes rules from the pages' inlined CSS that no page of the same kind can use. Pages of a kind were built with the same
 * CSS, and keep it: a kind adds one hash to the security policy, however many pages it has. What a page's scripts may draw
 * later counts as used: their text is read too. Attributes, which change at run time (`open`, `data-session`), never decide.
 * @param {readonly Page[]} pages
 * @param {ReadonlyMap<string, string>} scripts every script file of the site: file name without a folder, and text
 * @returns {Promise<Page[]>}
 */
export async function trimCss(pages, scripts) {
  const kinds = Map.groupBy(pages, ({ html }) => stylesOf(html).join('\0'))
  const trimmed = await Promise.all([...kinds.values()].map(kind => trimKind(kind, scripts)))
  return trimmed.flat()
}

/**
 * @param {readonly Page[]} kind
 * @param {ReadonlyMap<string, string>} scripts
 */
async function trimKind(kind, scripts) {
  const styles = stylesOf(kind[0]?.html ?? '')
  const markup = kind.map(({ html }) => html.replace(inlineStyle, ''))
  const results = await new PurgeCSS().purge({
    content: [
      ...markup.map(raw => ({ raw, extension: 'html' })),
      ...reachable(markup, scripts).map(raw => ({ raw, extension: 'js' })),
    ],
    extractors: [
      { extensions: ['html'], extractor: partsOfMarkup },
      { extensions: ['js'], extractor: wordsInStrings },
    ],
    css: styles.map(raw => ({ raw })),
    // Nested rules stay with the rule around them; a bare state such as :focus-visible can match anything.
    safelist: { greedy: [/&/, /^:/] },
    dynamicAttributes: [...new Set(styles.flatMap(attributesIn))],
  })
  return kind.map(({ name, html }) => {
    let index = 0
    const smaller = html.replace(inlineStyle, (_, attributes) => {
      const css = results[index]?.css
      index += 1
      if (css === undefined) throw new Error(`${name}: the style ${index} was lost`)
      return `<style${attributes}>${withoutIdleKeyframes(css)}</style>`
    })
    return { name, html: smaller }
  })
}

/** @param {string} html */
function stylesOf(html) {
  return [...html.matchAll(inlineStyle)].map(([, , css]) => css ?? '')
}

/** @param {string} css */
function attributesIn(css) {
  return [...css.matchAll(/\[([a-z-]+)/g)].map(([, attribute]) => attribute ?? '')
}

/**
 * The texts of the scripts that some pages load, now or later: those they name, those that these name, and so on.
 * @param {readonly string[]} markup
 * @param {ReadonlyMap<string, string>} scripts
 */
function reachable(markup, scripts) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const unread = markup.map(html => html.replace(/ renderer-url="[^"]*"/g, '')) // renders nothing of its own
  for (let text = unread.pop(); text !== undefined; text = unread.pop()) {
    for (const [, name = ''] of text.matchAll(/([\w.-]+\.js)\b/g)) {
      const script = scripts.get(name)
      // React names every tag and renders none of its own.
      if (script === undefined || found.has(name) || name.startsWith('react.')) continue
      found.set(name, script)
      unread.push(script)
    }
  }
  return [...found.values()]
}

/**
 * What selectors can match in a page, by kind: the word `input` in a sentence is not a class.
 * @param {string} html
 */
function partsOfMarkup(html) {
  /** @param {RegExp} pattern */
  const all = pattern => [...html.matchAll(pattern)].map(([, found = '']) => found)
  return {
    tags: all(/<([a-z][\w-]*)/gi),
    classes: all(/\sclass="([^"]*)"/g).flatMap(names => names.split(/\s+/)),
    ids: all(/\sid="([^"]*)"/g),
    attributes: { names: all(/\s([a-z][\w:-]*)(?==|[\s>])/gi), values: [] },
    undetermined: all(/<script\b[^>]*>([\s\S]*?)<\/script>/g).flatMap(wordsInStrings),
  }
}

/** @type {Map<string, string[]>} */
const wordsByScript = new Map()

/**
 * The words in a script's string literals and templates, where class names are; variables are ignored. All words if it does
 * not parse.
 * @param {string} script
 */
function wordsInStrings(script) {
  const known = wordsByScript.get(script)
  if (known !== undefined) return known
  const words = [...new Set(stringsIn(script).flatMap(string => string.match(/[\w-]+/g) ?? []))]
  wordsByScript.set(script, words)
  return words
}

/** @param {string} script */
function stringsIn(script) {
  /** @type {string[]} */
  const strings = []
  /** @param {unknown} node */
  const visit = node => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      strings.push(node.value)
    if ('cooked' in node && typeof node.cooked === 'string') strings.push(node.cooked)
    for (const child of Object.values(node)) visit(child)
  }
  try {
    visit(parseAst(script))
  } catch {
    return [script]
  }
  return strings
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
