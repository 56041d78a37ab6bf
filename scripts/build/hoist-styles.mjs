/**
 * Merges a page's inline styles, in their order, at the end of its head: the framework puts one before the first
 * island, where HTML does not allow it, and each needs a hash in the page's policy.
 */
export function hoistStyles(page) {
  const styles = page.named('style')
  if (styles.length === 0) return
  page.css = styles.map(style => page.textOf(style).trim()).join('')
  for (const style of styles) page.replace(style, '')
}
