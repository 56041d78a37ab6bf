// biome-ignore-all lint/suspicious/noGlobalAssign: the window's handlers, by their shortest names

/**
 * The frame's one script, at most 950 bytes as sent: hence its short cuts. It runs in the head before first
 * paint, so that a page shows at once whose links and which theme are right. What comes later reaches it on
 * the window: the page beneath is not there yet.
 */

const page = document
const { dataset } = page.documentElement
const night = matchMedia('(prefers-color-scheme:dark)')

/**
 * Shows the session that is stored, and the theme: the one just chosen, else the stored one, else the system's.
 * A choice that is the system's own is not stored, and the page follows the system again.
 */
function show(chosen?: string): void {
  const system = night.matches ? 'dark' : 'light'
  try {
    const store = localStorage
    if (chosen === system) delete store['theme']
    else if (chosen) store['theme'] = chosen
    chosen ??= store['theme']
    dataset['session'] = store['token'] ? 'in' : 'out'
  } catch {} // storage is blocked: a visitor, in the system's theme
  dataset['theme'] = chosen ??= system
  for (const meta of page.getElementsByName('theme-color') as NodeListOf<HTMLMetaElement>)
    meta.content = chosen === 'dark' ? '#0d1526' : '#f4efe3'
}

/** Closes an open menu, unless `at` lies in it; without any such place the menu's button gets the focus. */
function closeMenu(at?: unknown): void {
  const menu = page.querySelector<HTMLDetailsElement>('.menu[open]')
  if (!menu || menu.contains(at as Node)) return
  menu.open = false
  if (!at) (menu.firstElementChild as HTMLElement).focus()
}

interface Leave {
  readonly content: { readonly firstChild: { cloneNode(): HTMLScriptElement } }
}

show()
// Another tab, the system, or the browser bringing the page back: it may be another's by now.
night.onchange =
  onstorage =
  onpageshow =
    () => {
      show()
      closeMenu()
    }
onkeydown = ({ key }) => {
  if (key === 'Escape') closeMenu()
}
onclick = ({ target }) => {
  if ((target as Element).closest('.theme')) show(dataset['theme'] === 'dark' ? 'light' : 'dark')
  if ((target as Element).closest('.logout')) {
    // A page of plain text does not carry the session's code: this fetches it.
    const script = (page.querySelector('#leave') as unknown as Leave).content.firstChild.cloneNode()
    // Gone after a deploy: the new page has another.
    script.onerror = () => dataset['call'] ?? location.reload()
    page.body.append(script)
  }
  closeMenu(target)
}
addEventListener('focusin', ({ target }) => closeMenu(target))
// A flag that did not load becomes an element that shows its emoji.
addEventListener(
  'error',
  ({ target }) => {
    if ((target as HTMLElement).dataset?.['emoji'])
      (target as HTMLElement).outerHTML = (target as HTMLElement).outerHTML.replace('img', 'i')
  },
  true,
)
