/**
 * Removes the attributes that the icon library repeats on each icon, since the style sheet's `.i` sets them.
 * @param {string} html
 */
export function slimIcons(html) {
  return html.replace(
    /<svg xmlns="[^"]*" width="24" height="24" (viewBox="[^"]*") [^>]*class="lucide [^"]*?(\bi\b[^"]*)"( aria-hidden="true")>/g,
    '<svg class="$2" $1$3>',
  )
}
