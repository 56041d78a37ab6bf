/** What the icon library repeats on each icon, and the style sheet's `.i` sets. */
const repeated = new Set([
  'xmlns',
  'width',
  'height',
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
])

/** Removes the attributes that the icon library repeats on each icon, and the names of its own classes. */
export function slimIcons(page) {
  for (const icon of page.named('svg')) {
    const classes = icon.attributes.get('class')?.split(' ') ?? []
    const ours = classes.indexOf('i')
    // An icon of another size keeps its own.
    if (classes[0] !== 'lucide' || ours === -1 || icon.attributes.get('width') !== '24') continue
    const others = [...icon.attributes].filter(([name]) => name !== 'class' && !repeated.has(name))
    page.setAttributes(icon, new Map([['class', classes.slice(ours).join(' ')], ...others]))
  }
}
