/** Nothing of the film is asked for before its poster is pressed. If it does not load, the poster comes back. */
export function armFilm(): void {
  const poster = document.querySelector<HTMLButtonElement>('button.film')
  const shelf = document.querySelector<HTMLTemplateElement>('#film')
  poster?.addEventListener('click', () => {
    const shelved = shelf?.content.querySelector('video')
    const caption = poster.querySelector('b')
    if (!shelved || !caption) return
    const film = document.importNode(shelved, true)
    film.addEventListener('error', () => {
      caption.textContent = poster.dataset.failed ?? ''
      film.replaceWith(poster)
      poster.focus()
    })
    poster.replaceWith(film)
    film.focus()
    film.play().catch(() => {}) // held back by the browser: its controls are there; not loaded: heard above
  })
  if (poster?.dataset['pressed']) poster.click() // before this script was there
}
