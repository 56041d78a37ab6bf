/**
 * Loads the page's script files, and the sheet for what lies below its first screen, once the page has loaded,
 * or as soon as somebody scrolls or reaches for something: what is read comes first. Buttons that are pressed before their script runs carry it: those of an island
 * (`client-soon.ts` presses them again), and those that say so with `data-waits`.
 */
const { later, below } = (document.currentScript as HTMLScriptElement).dataset
const files = later?.split(',') ?? []
let sheet = below

function load(): void {
  if (sheet) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = sheet
    document.head.append(link)
    sheet = undefined
  }
  for (const file of files.splice(0)) {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = file
    script.async = false // in their order: the later ones need what the first define
    document.head.append(script)
  }
}

for (const type of ['scroll', 'pointerover', 'focusin']) addEventListener(type, load)
// A page from near by has loaded before it is painted.
addEventListener('load', () => requestAnimationFrame(() => setTimeout(load)))
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('astro-island[ssr] button,[data-waits]')
  if (button) button.dataset['pressed'] = `${button.dataset['pressed'] ?? ''}1`
})
