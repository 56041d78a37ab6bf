/**
 * A page with the styles of its body moved to the end of its head: the framework puts one before the first
 * island, where HTML does not allow it.
 * @param {string} html
 */
export function hoistStyles(html) {
  const bodyStart = html.indexOf('<body')
  const [head, body] = [html.slice(0, bodyStart), html.slice(bodyStart)]
  const styles = body.match(/<style\b[^>]*>[\s\S]*?<\/style>/g) ?? []
  if (bodyStart === -1 || styles.length === 0) return html
  const moved = styles.reduce((rest, style) => rest.replace(style, ''), body)
  return head.replace('</head>', () => `${styles.join('')}</head>`) + moved
}
