import { createHash } from 'node:crypto'

/** Attribute that names the sheet which a page loads after its first view: `Later.astro`. */
const below = 'data-below'
/** Attribute of the template in whose place a page links its late styles: `LateStyles.astro`. */
const place = 'data-late-styles'

/**
 * Moves rules of CSS modules that nothing in a page's HTML uses out of its inline styles. They belong to parts that its
 * islands draw later, such as a dialog, and would fill the first packets. A page either has a sheet that it loads after
 * its first view, or a place at its end where the new sheet is linked; others keep their styles as they are.
 * @param {readonly import('./page.mjs').Page[]} pages whose styles are trimmed
 * @param {ReadonlyMap<string, string>} sheets every style sheet of the site: address, and text
 * @returns {Map<string, string>} the new sheets by address
 */
export function moveLateStyles(pages, sheets) {
  const files = new Map()
  /** Sheets are cached for good, so each content has a name of its own. */
  const keep = (name, text) => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
    const address = `/_astro/${name}.${hash}.css`
    files.set(address, text)
    return address
  }
  for (const page of pages) {
    const having = name => page.elements.find(({ attributes }) => attributes.has(name))
    const [loader, end] = [having(below), having(place)]
    if (loader === undefined && end === undefined) continue
    const { early, late } = split(page)
    if (loader !== undefined && late !== '') {
      const address = loader.attributes.get(below) ?? ''
      const sheet = sheets.get(address)
      if (sheet === undefined) throw new Error(`${page.name}: its sheet ${address} is not in the site`)
      page.setAttribute(loader, below, keep('below', `${sheet}\n${late}`))
    }
    if (end !== undefined)
      page.replace(end, late === '' ? '' : `<link rel="stylesheet" href="${keep('late', late)}">`)
    if (late !== '') page.css = early
  }
  return files
}

function split({ css = '', elements }) {
  const drawn = elements.map(({ attributes }) => attributes.get('class') ?? '').join(' ')
  const isLate = rule => {
    const modules = new Set([...rule.matchAll(/\._\w+?_(\w{5})_\d+/g)].map(([, hash]) => hash))
    return modules.size > 0 && [...modules].every(hash => !drawn.includes(`_${hash}_`))
  }
  const rules = topLevelRules(css)
  return {
    early: rules.filter(rule => !isLate(rule)).join(''),
    late: rules.filter(isLate).join(''),
  }
}

/** Each rule or at-rule at the top of a sheet, with all that is nested in it. Strings hold no braces in our sheets. */
function topLevelRules(css) {
  const rules = []
  let depth = 0
  let start = 0
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1
    if (css[at] === '}') depth -= 1
    const isEnd = depth === 0 && (css[at] === '}' || css[at] === ';')
    if (!isEnd) continue
    rules.push(css.slice(start, at + 1))
    start = at + 1
  }
  return [...rules, css.slice(start)]
}
