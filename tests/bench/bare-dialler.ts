import type { Browser, Page } from 'playwright'

/**
 * What a browser itself takes for the same two presses: a field that is copied into the line beneath it, and a
 * dialog with as many rows as there are countries, by hand and without a style sheet.
 */
const html = `<!doctype html><title>Bare</title>
<button id="open" style="block-size:3rem">Country: bare</button>
<input aria-label="Phone number"><output></output>
<dialog aria-label="Choose a country"><input autofocus>${Array.from(
  { length: 168 },
  (_, row) => `<button><b>flag</b> Country ${row} <i>+${row}</i></button>`,
).join('')}</dialog>
<script>
  const [field, line, list] = ['input', 'output', 'dialog'].map(name => document.querySelector(name))
  field.oninput = () => { line.textContent = '$0.02 per minute, ' + field.value }
  document.querySelector('#open').onclick = () => list.showModal()
</script>`

/** The page against which the dialler is measured. */
export async function openBarePage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.setContent(html)
  return page
}
