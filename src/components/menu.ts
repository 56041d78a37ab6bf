/** The mobile menu closes on Escape, after a choice, and when the browser brings a page back with it open. */
export function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu')) {
    const close = () => {
      menu.open = false
    }
    addEventListener('pageshow', close)
    menu.addEventListener('click', event => {
      if (event.target instanceof Element && event.target.closest('a')) close()
    })
    menu.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return
      close()
      menu.querySelector('summary')?.focus()
    })
  }
}
