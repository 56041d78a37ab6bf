import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  type PluralElement,
  parse,
  TYPE,
} from '@formatjs/icu-messageformat-parser'
import { isRightToLeft } from './direction.ts'

const amount = /[\d.,]+(?:[ \u00a0]US\$|¢)/g

/** A message as JavaScript: a string literal, or a function of its arguments that may call `formats`. */
export interface CompiledMessage {
  readonly code: string
  /** Names and kinds of its placeholders, sorted: `count:number`, `name:text`, `terms:tag`. Two languages must agree. */
  readonly placeholders: readonly string[]
  /** For each plural argument the categories that it has forms for. */
  readonly plurals: readonly { readonly ordinal: boolean; readonly categories: readonly string[] }[]
}

/**
 * Compiles an ICU message to the source of a JavaScript expression. From right to left each text that stands for a placeholder is
 * isolated (U+2068 to U+2069), so that a number reads in its own direction, and each amount that is written out (U+2066 to U+2069).
 * A message of placeholders alone begins with a mark of its direction (U+200F), which its first letter does not tell inside another message.
 * @param formats the name under which the expression finds its `Formats`
 * @throws SyntaxError for text that is no message, and for dates, times and number skeletons, which callers format
 */
export function compileMessage(text: string, formats: string, language: string): CompiledMessage {
  const nodes = parse(text, { shouldParseSkeletons: false })
  const isolated = isRightToLeft(language)
  if (isolated && nodes.length > 1 && nodes.every(isWithoutLetters))
    nodes.unshift({ type: TYPE.literal, value: '\u200f' })
  /** A minifier may have given the name `a` to the formats. */
  const given = formats === 'a' ? 'b' : 'a'
  const literal = (value: string) =>
    JSON.stringify(isolated ? value.replace(amount, '\u2066$&\u2069') : value)
  const placeholders = new Set<string>()
  const plurals: { ordinal: boolean; categories: string[] }[] = []
  const body = expression(nodes)
  const sorted = [...placeholders].sort()
  return { code: sorted.length === 0 ? body : `${given}=>${body}`, placeholders: sorted, plurals }

  function expression(parts: readonly MessageFormatElement[], plural?: PluralElement): string {
    if (parts.every(isLiteralElement)) return literal(parts.map(part => part.value).join(''))
    const elements = parts.map(part => element(part, plural))
    if (hasTag(parts)) return `[${elements.join(',')}]`
    // An empty string first: what follows is text, whatever its type.
    return elements[0]?.startsWith('"') ? elements.join('+') : ['""', ...elements].join('+')
  }

  function element(part: MessageFormatElement, plural?: PluralElement): string {
    if (isLiteralElement(part)) return literal(part.value)
    if (isPoundElement(part)) {
      const { value, offset = 0 } = plural as PluralElement
      return `${formats}.number(${given}.${value}${offset === 0 ? '' : `-${offset}`})`
    }
    const name = part.value
    if (isTagElement(part)) {
      placeholders.add(`${name}:tag`)
      return `${given}.${name}(${expression(part.children, plural)})`
    }
    if (isArgumentElement(part)) {
      placeholders.add(`${name}:text`)
      return isolated ? `"\\u2068"+${given}.${name}+"\\u2069"` : `${given}.${name}`
    }
    if (isNumberElement(part) && !part.style) {
      placeholders.add(`${name}:number`)
      return `${formats}.number(${given}.${name})`
    }
    if (isPluralElement(part)) {
      placeholders.add(`${name}:number`)
      const ordinal = part.pluralType === 'ordinal'
      const categories = Object.keys(part.options).filter(category => !category.startsWith('='))
      plurals.push({ ordinal, categories })
      const forms = options(part.options, part)
      const rest = ordinal ? `,${part.offset},true` : part.offset === 0 ? '' : `,${part.offset}`
      return `${formats}.plural(${given}.${name},${forms}${rest})`
    }
    if (isSelectElement(part)) {
      placeholders.add(
        `${name}:${Object.keys(part.options)
          .sort((a, b) => (a < b ? -1 : 1))
          .join('|')}`,
      )
      return `${formats}.select(${given}.${name},${options(part.options, plural)})`
    }
    throw new SyntaxError(`{${name}} must be formatted before it is given to the message: ${text}`)
  }

  function options(
    all: Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>,
    plural?: PluralElement,
  ): string {
    const each = Object.entries(all).map(
      ([key, { value }]) => `${JSON.stringify(key)}:${expression(value, plural)}`,
    )
    return `{${each.join(',')}}`
  }
}

function isWithoutLetters(part: MessageFormatElement): boolean {
  return isArgumentElement(part) || (isLiteralElement(part) && !/\p{L}/u.test(part.value))
}

function hasTag(parts: readonly MessageFormatElement[]): boolean {
  return parts.some(part => {
    if (isTagElement(part)) return true
    if (!(isPluralElement(part) || isSelectElement(part))) return false
    return Object.values(part.options).some(({ value }) => hasTag(value))
  })
}
