/** Puts the emoji in the place of each flag that did not load, or does not later on. */
export function replaceBrokenFlags(): void {
  for (const flag of document.querySelectorAll<HTMLImageElement>('img[data-emoji]')) {
    if (flag.closest('astro-island')) continue // islands see to their own
    const replace = () => {
      const emoji = document.createElement('span')
      emoji.className = 'flag'
      emoji.ariaHidden = 'true'
      emoji.textContent = flag.dataset.emoji ?? ''
      flag.replaceWith(emoji)
    }
    if (flag.complete && flag.naturalWidth === 0) replace()
    else flag.addEventListener('error', replace)
  }
}
