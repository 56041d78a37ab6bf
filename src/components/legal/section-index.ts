/** Marks the section that is being read: the one that a line across the upper part of the window crosses. */
export function followSections(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('.indexed > nav a')
  const observer = new IntersectionObserver(
    entries => {
      const section = entries.find(entry => entry.isIntersecting)?.target
      if (section === undefined) return
      for (const link of links) {
        if (link.hash === `#${section.id}`) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
      }
    },
    { rootMargin: '-30% 0% -70%' },
  )
  for (const section of document.querySelectorAll('.prose > section')) observer.observe(section)
}
