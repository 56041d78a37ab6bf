const anyStyle = /<style>([\s\S]*?)<\/style>/g

/**
 * Merges a page's inline styles, in their order, at the end of its head: the framework puts one before the first island,
 * where HTML does not allow it, and each needs a hash in the page's policy.
 * @param {string} html
 */
export function hoistStyles(html) {
  const styles = [...html.matchAll(anyStyle)].map(([, css = '']) => css.trim())
  if (styles.length === 0 || !html.includes('<body')) return html
  return html.replace(anyStyle, '').replace('</head>', () => `<style>${styles.join('')}</style></head>`)
}
