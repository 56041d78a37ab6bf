import { createHash } from 'node:crypto'

/** Attribute that names the sheet which a page loads after its first view, if it has one: `Later.astro`. */
const below = 'data-below'
/** Attribute of the template in whose place a page links its late styles: `LateStyles.astro`. */
const place = 'data-late-styles'
/** Attribute of an element that nobody sees at first: it stands far below, or is hidden. */
const unseen = 'data-late'

/**
 * Moves rules out of pages' inline styles: those for classes that nothing in a page's HTML has, or only what is marked as unseen,
 * and the typeface's in a page that loads a sheet after its first view.
 * They belong to what its islands draw later, such as a dialog, or to its foot, and would fill the first packets. Layers keep
 * their order; a module moves whole. A page either has a sheet that it loads after its first view, or a place at its end where
 * the new sheet is linked; others keep their styles as they are.
 */
export class LateStyles {
  /** The new sheets: address, and text. */
  files = new Map()
  #moves = []

  /** Reads a page, which may be sealed afterwards. */
  add(page) {
    const having = name => page.elements.find(({ attributes }) => attributes.has(name))
    const [loader, end] = [having(below), having(place)]
    if (loader === undefined && end === undefined) return
    const isUndrawn = latenessIn(page.elements)
    // A page that loads its sheet after the first view shows its text without the typeface until then.
    const isLate = rule => isUndrawn(rule) || (loader !== undefined && isTypeface(rule))
    const address = loader?.attributes.get(below) ?? ''
    let [joined, link] = [address, '']
    if (loader !== undefined) {
      page.setAttribute(loader, below, () => joined)
      const withoutScripts = page.named('link').filter(({ attributes }) => attributes.get('href') === address)
      for (const each of withoutScripts) page.setAttribute(each, 'href', () => joined)
    }
    if (end !== undefined) page.replace(end, () => link)
    this.#moves.push(sheets => {
      const { early, late } = split(page.css, isLate)
      if (late === '') return
      page.css = early
      if (end !== undefined) link = `<link rel="stylesheet" href="${this.#keep('late', late)}">`
      if (loader === undefined) return
      const sheet = address === '' ? '' : sheets.get(address)
      if (sheet === undefined) throw new Error(`${page.name}: its sheet ${address} is not in the site`)
      joined = this.#keep('below', `${sheet}\n${late}`)
    })
  }

  /**
   * Moves them, once the pages' styles are trimmed.
   * @param {ReadonlyMap<string, string>} sheets every style sheet of the site: address, and text
   */
  move(sheets) {
    for (const move of this.#moves) move(sheets)
  }

  /** Sheets are cached for good, so each content has a name of its own. */
  #keep(name, text) {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
    const address = `/_astro/${name}.${hash}.css`
    this.files.set(address, text)
    return address
  }
}

/** @returns {(rule: string) => boolean} whether only scripts draw what a rule is for */
function latenessIn(elements) {
  const marked = elements.filter(({ attributes }) => attributes.has(unseen))
  const isSeen = ({ location: { startOffset } }) =>
    marked.every(({ location }) => startOffset < location.startOffset || startOffset >= location.endOffset)
  const seen = elements.filter(isSeen)
  const drawn = new Set(seen.flatMap(({ attributes }) => attributes.get('class')?.split(/\s+/) ?? []))
  const modules = new Set([...drawn].flatMap(name => moduleOf(name) ?? []))
  const isDrawn = name => {
    const module = moduleOf(name)
    return module === undefined ? drawn.has(name) : modules.has(module)
  }
  return rule => {
    const selectors = rule.slice(0, rule.indexOf('{')).split(',')
    // `.btn.hangup:hover` needs both classes, so it is late if either is missing.
    const first = selectors.map(
      selector => /^\s*((?:\.[\w-]+)+)/.exec(selector)?.[1]?.slice(1).split('.') ?? [],
    )
    return first.every(names => names.some(name => !isDrawn(name)))
  }
}

/** @returns {{ early: string, late: string }} the page's styles: what its HTML may use, and what only scripts draw */
function split(css = '', isLate) {
  const parted = rules => {
    const parts = rules.map(rule => {
      // What is in a layer or a media query is parted within it, so that what it overrides does not come after it.
      const [opening] = /^\s*@(?:layer|media|supports|container)[^;{]*\{/.exec(rule) ?? []
      if (opening === undefined) return isLate(rule) ? { early: '', late: rule } : { early: rule, late: '' }
      const inner = parted(topLevelRules(rule.slice(opening.length, -1)))
      const wrapped = text => (text === '' ? '' : `${opening}${text}}`)
      return { early: wrapped(inner.early), late: wrapped(inner.late) }
    })
    return { early: parts.map(({ early }) => early).join(''), late: parts.map(({ late }) => late).join('') }
  }
  return parted(topLevelRules(css))
}

/** A rule with a file; one with a font of the system is none. */
function isTypeface(rule) {
  return /^\s*@font-face\b/.test(rule) && rule.includes('url(')
}

/** The file of a CSS module's class: `1psg1` of `_ring_1psg1_1`. */
function moduleOf(name) {
  return /^_\w+?_(\w{5})_\d+$/.exec(name)?.[1]
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
  const rest = css.slice(start)
  return rest.trim() === '' ? rules : [...rules, rest]
}
