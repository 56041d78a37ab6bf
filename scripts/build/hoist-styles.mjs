import { Page } from './page.mjs'

/** Styles, and what may hold text that only looks like one. */
const comment = '<!--[^]*?-->'
const text = '<(script|textarea|title)\\b[^]*?</\\1'
const style = '<style\\b[^>]*>(?<css>[^]*?)</style>'
const pieces = new RegExp(`${comment}|${text}|${style}`, 'g')

/**
 * A page whose inline styles are merged, in their order, at the end of its head: the framework puts one before the first
 * island, where HTML does not allow it, and each needs a hash in the page's policy. They are taken out before the page is parsed:
 * they are half of it.
 */
export function hoistStyles(name, html) {
  const found = []
  const source = html.replace(pieces, (piece, ...rest) => {
    const { css } = rest.at(-1)
    if (css === undefined) return piece
    found.push(css.trim())
    return ''
  })
  const page = new Page(name, source)
  if (page.named('style').length > 0) throw new Error(`${name}: a style is not where it can be found`)
  if (found.length > 0) page.css = found.join('')
  return page
}
