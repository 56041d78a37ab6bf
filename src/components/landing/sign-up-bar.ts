/** Shows the sign-up bar beyond the top of the page, marked by `.top300`, where CSS cannot follow the scrolling. */
export function watchScroll(): void {
  const bar = document.querySelector('.stick')
  const top = document.querySelector('.top300')
  if (!bar || !top || CSS.supports('animation-timeline: scroll()')) return
  new IntersectionObserver(([entry]) => bar.classList.toggle('down', entry?.isIntersecting)).observe(top)
}
