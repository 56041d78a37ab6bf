// biome-ignore-all lint/suspicious/noGlobalAssign: the window's handlers, by their shortest names

// The frame's only script, at most 1,160 bytes as sent, hence the terse code. It runs in the head before first paint, so
// that the links and the theme are right at once. The body is not parsed yet, so it listens on the window.

const page = document
const { dataset, lang } = page.documentElement
const night = matchMedia('(prefers-color-scheme:dark)')

/** Applies the stored session and the theme. A choice equal to the system's is not stored, so the page follows it. */
function show(chosen?: string): void {
  const system = night.matches ? 'dark' : 'light'
  try {
    const store = localStorage
    if (chosen === system) delete store['theme']
    else if (chosen) store['theme'] = chosen
    chosen ??= store['theme']
    dataset['session'] = store['token'] ? 'in' : 'out'
    // Suggests the reader's own language, if the site has it. Without a connection there is no suggestion.
    if ((store['language'] ?? navigator.language).slice(0, 2) !== lang.slice(0, 2))
      import('/languages.js' as string).catch(() => 0)
  } catch {} // storage is blocked: treat as a visitor, in the system's theme
  dataset['theme'] = chosen ??= system
  for (const meta of page.getElementsByName('theme-color') as NodeListOf<HTMLMetaElement>)
    meta.content = chosen === 'dark' ? '#0d1526' : '#f4efe3'
}

/** Closes an open menu unless `at` is inside it. Without `at`, the menu's button gets the focus. */
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
// After another page of ours Besley is in the cache. Loaded here, it is ready before the first paint. A first visit shows
// the fallback font until Besley arrives.
if (page.referrer.startsWith(origin)) void new FontFace('Besley', 'url(/fonts/besley-core.woff2)').load()
// The state may have changed in another tab, in the system, or before a return from the back/forward cache, which leaves the
// menu as it was. The first `pageshow` comes as the page has loaded, when somebody may have opened the menu.
night.onchange =
  onstorage =
  onpageshow =
    (event: Event) => {
      show()
      if ((event as PageTransitionEvent).persisted) closeMenu()
    }
onkeydown = ({ key }) => {
  if (key === 'Escape') closeMenu()
}
onclick = ({ target }) => {
  if ((target as Element).closest('.theme')) show(dataset['theme'] === 'dark' ? 'light' : 'dark')
  if ((target as Element).closest('.logout')) {
    // Text-only pages do not include the session's code, so load it here.
    const script = (page.querySelector('#leave') as unknown as Leave).content.firstChild.cloneNode()
    // The file is missing after a deploy: the reloaded page refers to the new one.
    script.onerror = () => dataset['call'] ?? location.reload()
    page.body.append(script)
  }
  closeMenu(target)
}
addEventListener('focusin', ({ target }) => closeMenu(target))
// Flags rarely fail to load, so the code of the emoji fallback is loaded on demand.
addEventListener(
  'error',
  ({ target }) => {
    if ((target as HTMLElement).dataset?.['emoji']) void import('/flag-emoji.js' as string)
  },
  true,
)
