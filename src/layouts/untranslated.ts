import { existsSync } from 'node:fs'

/** Pages whose own text is English in every language: posts and legal texts. Search engines are told of the English page alone. */
export function isUntranslated(route: string): boolean {
  return /^\/blog(?:\/|$)/.test(route) || existsSync(`src/content/legal${route}.md`)
}

/** Pages for operators, developers and machines: they exist in English alone. */
export function isEnglishOnly(route: string): boolean {
  return /^\/(?:ops|dev|api)(?:\/|$)/.test(route)
}
