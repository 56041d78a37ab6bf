/**
 * Loads the page's script files once the page has loaded, or as soon as somebody reaches for something: what
 * is read comes first. Buttons that are pressed before their script runs carry it: those of an island
 * (`client-soon.ts` presses them again), and those that say so with `data-waits`.
 */
const files = (document.currentScript as HTMLScriptElement).dataset['later']?.split(',') ?? []

function load(): void {
  for (const file of files.splice(0)) {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = file
    script.async = false // in their order: the later ones need what the first define
    document.head.append(script)
  }
}

for (const type of ['pointerover', 'focusin']) addEventListener(type, load)
// A page from near by has loaded before it is painted.
addEventListener('load', () => requestAnimationFrame(() => setTimeout(load)))
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('astro-island[ssr] button,[data-waits]')
  if (button) button.dataset['pressed'] = `${button.dataset['pressed'] ?? ''}1`
})
