import { PurgeCSS } from 'purgecss'
import { statementsOf } from './statements.mjs'

/**
 * Removes rules from the pages' inlined CSS that no page of the same kind can use. Pages of a kind have the same CSS,
 * and keep it: a kind adds one hash to the security policy. What a page's scripts may draw later counts as used: their
 * text is read too. Attributes, which change at run time (`open`, `data-session`), never decide.
 * @param {readonly import('./page.mjs').Page[]} pages whose styles are hoisted
 * @param {ReadonlyMap<string, string>} scripts every script file of the site: file name without a folder, and text
 */
export async function trimCss(pages, scripts) {
  const kinds = Map.groupBy(pages, ({ css }) => css)
  const trimmed = [...kinds].map(([css, kind]) => css !== undefined && trimKind(css, kind, scripts))
  await Promise.all(trimmed)
}

async function trimKind(css, kind, scripts) {
  const pageOf = new Map(kind.map(page => [page.source, page]))
  const [result] = await new PurgeCSS().purge({
    content: [
      ...kind.map(({ source }) => ({ raw: source, extension: 'html' })),
      ...reachable(textsOf(kind), scripts).map(raw => ({ raw, extension: 'js' })),
      ...reachable(linkedBy(scripts), scripts).map(raw => ({ raw, extension: 'linked' })),
    ],
    extractors: [
      // The pages are parsed already.
      { extensions: ['html'], extractor: source => partsOf(pageOf.get(source)) },
      { extensions: ['js'], extractor: wordsInStrings },
      { extensions: ['linked'], extractor: script => wordsInStrings(script).filter(isOfModule) },
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

function textsOf(pages) {
  return pages.flatMap(page => [...addressesIn(page), ...inlineScriptsOf(page).flatMap(stringsIn)])
}

/** React names every tag and renders none of its own. */
const skipped = ['react.', linksAll]

/** The texts of the scripts that some texts name, now or later, those that these name, and so on. */
function reachable(texts, scripts) {
  const found = new Map()
  const unread = [...texts]
  for (let text = unread.pop(); text !== undefined; text = unread.pop()) {
    for (const [, name = ''] of text.matchAll(/([\w.-]+\.js)\b/g)) {
      const script = scripts.get(name)
      if (script === undefined || found.has(name) || skipped.some(start => name.startsWith(start))) continue
      found.set(name, script)
      unread.push(...stringsIn(script))
    }
  }
  return [...found.values()]
}

function addressesIn(page) {
  return page.elements.flatMap(({ attributes }) =>
    // The renderer draws nothing of its own.
    [...attributes].filter(([name]) => name !== 'renderer-url').map(([, value]) => value),
  )
}

function inlineScriptsOf(page) {
  return page.named('script').map(script => page.textOf(script))
}

/** What selectors can match in a page, by kind: the word `input` in a sentence is not a class. */
function partsOf(page) {
  const elements = page?.elements ?? []
  const valuesOf = name => elements.flatMap(({ attributes }) => attributes.get(name) ?? [])
  return {
    tags: elements.map(({ name }) => name),
    classes: valuesOf('class').flatMap(names => names.split(/\s+/)),
    ids: valuesOf('id'),
    attributes: { names: elements.flatMap(({ attributes }) => [...attributes.keys()]), values: [] },
    undetermined: page ? inlineScriptsOf(page).flatMap(wordsInStrings) : [],
  }
}

const stringsByScript = new Map()

/** The words in a script's string literals and templates, where class names are; all words if it does not parse. */
function wordsInStrings(script) {
  return [...new Set(stringsIn(script).flatMap(string => string.match(/[\w-]+/g) ?? []))]
}

/** A script's string literals and templates; the whole script if it does not parse. */
function stringsIn(script) {
  const known = stringsByScript.get(script)
  if (known !== undefined) return known
  const strings = parseStrings(script)
  stringsByScript.set(script, strings)
  return strings
}

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
