/**
 * A page with its icons as the design writes them: the attributes that the icon library repeats on each one
 * are in the style sheet's `.i` already.
 * @param {string} html
 */
export function slimIcons(html) {
  return html.replace(
    /<svg xmlns="[^"]*" width="24" height="24" (viewBox="[^"]*") [^>]*class="lucide [^"]*?(\bi\b[^"]*)"( aria-hidden="true")>/g,
    '<svg class="$2" $1$3>',
  )
}
