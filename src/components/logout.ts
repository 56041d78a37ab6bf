/**
 * Leaves on the first press of a Logout button. The script that does it sits inert in a template until then,
 * so that a page of plain text does not carry the session's code.
 */
export function armLogout(): void {
  document.addEventListener('click', event => {
    if (!(event.target instanceof Element && event.target.closest('[data-logout]'))) return
    const inCall = document.documentElement.dataset.call === 'live'
    if (inCall && !confirm('You are in a call. Hang up and log out?')) return
    const script = document
      .querySelector<HTMLTemplateElement>('#leave')
      ?.content.querySelector('script')
      ?.cloneNode(true)
    if (!script) return
    script.addEventListener('error', () => location.reload()) // gone after a deploy: the new page has another
    document.body.append(script)
  })
}
