// Loads the page's scripts, and the style sheet for content that is not seen at first: after the page has loaded (`load`),
// after its first frame (`frame`), or at the first scroll or interaction. Visible content comes first. Buttons pressed
// before their script runs are marked: those of islands (`client-soon.ts` replays the presses), and those with
// `data-waits`.
const { later, below, after } = (document.currentScript as HTMLScriptElement).dataset
let sheet = below

// The sheet holds the headings' typeface. After another page of ours the file is in the cache (`frame-script.ts`), and the
// first paint has it without the sheet.
if (document.referrer.startsWith(origin))
  void new FontFace('Besley', 'url(/fonts/besley-core.woff2)', { weight: '640' })
    .load()
    .then(face => document.fonts.add(face))

function load(): void {
  if (sheet) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = sheet
    document.head.append(link)
    sheet = undefined
  }
  if (later) import(/* @vite-ignore */ later).catch(showFailure)
}

/** The watch over files that do not load (`load-failure.ts`) is in the file that did not load. */
function showFailure(): void {
  const note = document.querySelector<HTMLElement>('.failed')
  if (!note) return
  note.hidden = false
  note.onclick = () => location.reload()
}

for (const type of ['scroll', 'pointerover', 'focusin']) addEventListener(type, load)
// A fast page can finish loading before its first paint, so wait for a frame. A hidden page has none.
const afterFrame = () => requestAnimationFrame(() => setTimeout(load))
if (after !== 'frame') addEventListener('load', afterFrame)
else if (document.hidden) load()
else afterFrame()
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('astro-island[ssr] button,[data-waits]')
  if (button) button.dataset['pressed'] = `${button.dataset['pressed'] ?? ''}1`
})
