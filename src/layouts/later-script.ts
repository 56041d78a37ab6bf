// Loads the page's scripts, and the style sheet for content below the first screen, after the page has loaded or at the
// first scroll or interaction: visible content comes first. Buttons pressed before their script runs are marked: those
// of islands (`client-soon.ts` replays the presses), and those with `data-waits`.
const { later, below } = (document.currentScript as HTMLScriptElement).dataset
let sheet = below

function load(): void {
  if (sheet) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = sheet
    document.head.append(link)
    sheet = undefined
  }
  if (later) void import(/* @vite-ignore */ later)
}

for (const type of ['scroll', 'pointerover', 'focusin']) addEventListener(type, load)
// A fast page can finish loading before its first paint, so wait for a frame.
addEventListener('load', () => requestAnimationFrame(() => setTimeout(load)))
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('astro-island[ssr] button,[data-waits]')
  if (button) button.dataset['pressed'] = `${button.dataset['pressed'] ?? ''}1`
})
