import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'

/** English for everything from `Intl`; its script makes pages run from right to left. */
export const pseudoTag = 'en-Arab-XB'

const plain = 'aceinorsuyACEINORSUY'
const accented = 'àçéîñöŕšüýÀÇÉÎÑÖŔŠÜÝ'

/**
 * English messages as a made-up language: accented, 40% longer and in brackets, from right to left. A text without accents was not
 * translated, one without its closing bracket is cut off.
 * @returns {import('./catalogues.mjs').Language}
 */
export function pseudoLanguage(english) {
  const scopes = Object.entries(english.scopes).map(([scope, messages]) => [
    scope,
    Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, pseudoMessage(text)])),
  ])
  return { tag: pseudoTag, reviewed: false, published: false, scopes: Object.fromEntries(scopes) }
}

/** @param {string} text an ICU message */
export function pseudoMessage(text) {
  const nodes = parse(text, { shouldParseSkeletons: false })
  return `[${printAST(accent(nodes))}${padding(text)}]`
}

function accent(nodes) {
  return nodes.map(node => {
    if (node.type === TYPE.literal)
      return {
        ...node,
        value: [...node.value].map(letter => accented[plain.indexOf(letter)] ?? letter).join(''),
      }
    if (node.type === TYPE.tag) return { ...node, children: accent(node.children) }
    if (!('options' in node)) return node
    const options = Object.entries(node.options).map(([name, { value }]) => [name, { value: accent(value) }])
    return { ...node, options: Object.fromEntries(options) }
  })
}

/** Two fifths of what a reader sees of the message, as words that can wrap. */
function padding(text) {
  const seen = text.replace(/\{[^{}]*\}|<[^>]*>/g, '').length
  return ' ~~~~'.repeat(Math.ceil((seen * 0.4) / 5))
}
