import { describe, expect, test } from 'vitest'
import { hoistStyles } from '#scripts/build/hoist-styles.mjs'
import { LateStyles } from '#scripts/build/late-styles.mjs'
import { Page } from '#scripts/build/page.mjs'
import { shareScripts } from '#scripts/build/share-scripts.mjs'
import { slimIcons } from '#scripts/build/slim-icons.mjs'
import { Kinds } from '#scripts/build/trim-css.mjs'

interface Source {
  readonly name: string
  readonly html: string
}

function page(name: string, css: string, body: string): Source {
  return { name, html: `<html><head><style>${css}</style></head><body>${body}</body></html>` }
}

/** Does something to one page. */
function after(step: (page: Page) => void, html: string): string {
  const page = new Page('a.html', html)
  step(page)
  return page.html
}

async function trim(sources: readonly Source[], scripts: Readonly<Record<string, string>> = {}) {
  const pages = sources.map(({ name, html }) => hoistStyles(name, html))
  const kinds = new Kinds()
  for (const page of pages) {
    kinds.add(page)
    page.seal()
  }
  await kinds.trim(new Map(Object.entries(scripts)))
  return pages.map(({ name, html }) => ({ name, html }))
}

function share(sources: readonly Source[]) {
  const pages = sources.map(({ name, html }) => new Page(name, html))
  const files = shareScripts(pages)
  return { pages: pages.map(({ html }) => html), files }
}

async function trimmed(
  css: string,
  body: string,
  scripts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [only] = await trim([page('a.html', css, body)], scripts)
  return /<style>(.*)<\/style>/s.exec(only?.html ?? '')?.[1] ?? 'lost'
}

test('rules for classes that the page does not have are left out', async () => {
  expect(await trimmed('@layer a{.on{color:red}.off{color:blue}}', '<p class="on"></p>')).toBe(
    '@layer a{.on{color:red}}',
  )
})

test('a word of the text or the name of a tag is no class', async () => {
  const css = '.input{color:red}.rate{color:tan}input{color:blue}#here{top:0}'
  expect(await trimmed(css, '<p id="here">rate</p><input>')).toBe('input{color:blue}#here{top:0}')
})

test('classes that an inline script sets stay', async () => {
  expect(await trimmed('.on{color:red}', '<script>p.className="on"</script>')).toBe('.on{color:red}')
})

test('states stay: nested, bare, and as attributes that change later', async () => {
  const css =
    '.skip{top:0;&:not(:focus){top:-9px}}:focus-visible{outline:solid}:disabled{opacity:.5}' +
    '[data-session=out] p{display:none}p[aria-current=page]{color:red}details[open] p{color:red}'
  expect(await trimmed(css, '<details><summary></summary><p class="skip"></p></details>')).toBe(css)
})

test('what the scripts of a page may draw later stays, on the pages that load them alone', async () => {
  const css = '.later{color:red}.last{color:tan}.never{color:blue}'
  const scripts = {
    'island.AbC_1.js': 'import("./deeper.Z-9.js"),jsx("p",{className:"later"})',
    'deeper.Z-9.js': 'let never=1;jsx("p",{className:`last `+never})',
    'other.js': 'jsx("p",{className:"never"})',
  }
  const body = '<astro-island component-url="/_astro/island.AbC_1.js"></astro-island>'
  expect(await trimmed(css, body, scripts)).toBe('.later{color:red}.last{color:tan}')
  expect(await trimmed(css, '<p></p>', scripts)).toBe('')
})

test('neither a quote in a regular expression nor a template within another hides a class', async () => {
  const css = '.after{color:red}.inner{color:tan}.never{color:blue}'
  const scripts = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is the script's.
    'a.js': 'let n=/[\'"`]/;jsx("p",{className:`${n?`inner`:""} x`});jsx("p",{className:"after"});never',
  }
  expect(await trimmed(css, '<script src="/_astro/a.js"></script>', scripts)).toBe(
    '.after{color:red}.inner{color:tan}',
  )
})

test('pages built with the same CSS keep the same CSS, so the security policy does not grow with them', async () => {
  const css = '.one{color:red}.two{color:blue}.three{color:tan}'
  const pages = await trim([
    page('a.html', css, '<p class="one"></p>'),
    page('other.html', '.one{color:tan}', '<p class="one"></p>'),
    page('b.html', css, '<p class="two"></p>'),
  ])
  const css2 = Object.fromEntries(
    pages.map(({ name, html }) => [name, html.match(/<style>(.*)<\/style>/)?.[1]]),
  )
  expect(css2).toEqual({
    'a.html': '.one{color:red}.two{color:blue}',
    'b.html': '.one{color:red}.two{color:blue}',
    'other.html': '.one{color:tan}',
  })
})

test('a word of another language keeps no rule: its copy of a script counts as the English script', async () => {
  const scripts = { 'a.AbCdEfGh.js': 'show({one:1})', 'a.AbCdEfGh.ar-123456.js': 'show("two")' }
  const body = '<script src="/_astro/a.AbCdEfGh.ar-123456.js"></script>'
  expect(await trimmed('.two{color:red}', body, scripts)).toBe('')
  const drawing = { ...scripts, 'a.AbCdEfGh.js': 'p.className="two"' }
  expect(await trimmed('.two{color:red}', body, drawing)).toBe('.two{color:red}')
})

test('the rest of a page is left as it is, dollar signs too', async () => {
  const [only] = await trim([page('a.html', '.x{content:"$&"}', '<p class="x">$1 $& $$</p>')])
  expect(only?.html).toBe(page('a.html', '.x{content:"$&"}', '<p class="x">$1 $& $$</p>').html)
})

test('all styles are one at the end of the head, in their order, wherever they stood', () => {
  const html = '<html><head><style>a{}</style></head><body><p>$&</p><style>b{}</style><i></i></body></html>'
  expect(hoistStyles('a.html', html).html).toBe(
    '<html><head><style>a{}b{}</style></head><body><p>$&</p><i></i></body></html>',
  )
  const plain = '<html><head></head><body></body></html>'
  expect(hoistStyles('a.html', plain).html).toBe(plain)
})

test('what only looks like a style stays where it is', () => {
  const html =
    '<head><title><style>a{}</style></title></head><!--<style>b{}</style>--><script>"<style>c{}</style>"</script>'
  expect(hoistStyles('a.html', html).html).toBe(html)
  const hidden = '<p title="<script>"></p><style>a{}</style><script></script>'
  expect(() => hoistStyles('a.html', hidden)).toThrow('a.html')
})

test('animations stay with the rules that name them, however deep, and go with them', async () => {
  const css =
    '@keyframes rise{0%{opacity:0}to{opacity:1}}@keyframes turn{to{rotate:1turn}}' +
    '.bar{@supports (animation-timeline:scroll()){animation:rise linear}}.ring{animation:turn 1s}'
  expect(await trimmed(css, '<p class="bar"></p>')).toBe(
    '@keyframes rise{0%{opacity:0}to{opacity:1}}.bar{@supports (animation-timeline:scroll()){animation:rise linear}}',
  )
})

test('long scripts of the body become files that all pages share; short ones and the head stay', () => {
  const long = `(()=>{if(1<2)define("astro-island")})()//${'x'.repeat(1000)}`
  const head = `<head><script>${long}</script></head>`
  const html = `${head}<body><script>first()</script><script>${long}</script><script type="module">${long}m</script></body>`
  const plain = `${head}<body><script type="application/ld+json">${long}</script></body>`
  const { pages, files } = share([
    { name: 'a.html', html },
    { name: 'b.html', html },
    { name: 'c.html', html: plain },
  ])
  const [first, second] = files.keys()
  expect([...files.values()]).toEqual([long, `${long}m`])
  expect(first).toMatch(/^\/_astro\/shared\.[\w-]{8}\.js$/)
  const lighter = `${head}<body><script>first()</script><script async src="${first}"></script><script type="module" src="${second}"></script></body>`
  expect(pages).toEqual([lighter, lighter, plain])

  const patient = html.replace('</body>', '<script data-later="">wait()</script></body>')
  const waiting = share([{ name: 'd.html', html: patient }])
  const [[address = '', code = ''] = []] = waiting.files
  expect(waiting.pages[0]).toBe(`${head}<body><script data-later="${address}">wait()</script></body>`)
  expect(waiting.files.size).toBe(1)
  expect(code.indexOf('first()')).toBeLessThan(code.indexOf(long))
  expect(code).toContain(`${long}m`)
})

test('a page that waits fetches no file of modules before its other scripts, and leaves templates alone', () => {
  const file = '<script type="module" src="/_astro/toast.js"></script>'
  const html = `<body><template>${file}</template>${file}<script>first()</script><script data-later="">wait()</script></body>`
  const { pages, files } = share([{ name: 'a.html', html }])
  const [[address, code = ''] = []] = files
  expect(pages).toEqual([
    `<body><template>${file}</template><script data-later="${address}">wait()</script></body>`,
  ])
  expect(code).toBe('import"/_astro/toast.js";\n(()=>{first()\n})();')
})

test('scripts that wait together keep their names to themselves, and none of them may import', async () => {
  const page = (...scripts: string[]) => {
    const held = scripts.map(script => `<script type="module">${script}</script>`).join('')
    return [{ name: 'a.html', html: `<body>${held}<script data-later="">wait()</script></body>` }]
  }
  const ran = 'globalThis.ranInTest'
  const { files } = share(
    page(`const a=1;var c=3;${ran}=[a]//`, `const a=2;var c;function b(){${ran}.push(a,c)}b()`),
  )
  await import(`data:text/javascript,${encodeURIComponent([...files.values()].join(''))}`)
  expect(Reflect.get(globalThis, 'ranInTest')).toEqual([1, 2, undefined])
  expect(() => share(page('import{a}from"./a.js";a()'))).toThrow(/cannot wait: import/)
  expect(() => share(page('import("./a.js")'))).not.toThrow()
})

test('icons lose what the style sheet says already, other drawings nothing', () => {
  const icon =
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="lucide lucide-plus i i-x" aria-hidden="true"><path d="M5 12h14"></path></svg>'
  expect(after(slimIcons, `${icon}<svg viewBox="0 0 9 9"></svg>`)).toBe(
    '<svg class="i i-x" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12h14"></path></svg><svg viewBox="0 0 9 9"></svg>',
  )
})

describe('a page', () => {
  test('stays as it is written where nothing changes it', () => {
    const untidy =
      '<!DOCTYPE html>\n<HTML lang=en><p Class=a>One &amp; two<p>three<br/><table><tr><td>4</table>\n'
    expect(new Page('a.html', untidy).html).toBe(untidy)
  })

  test('tells elements from what only looks like some', () => {
    const html =
      '<head><title><style></title></head><body><!-- <svg> --><script>"<svg>"</script><textarea><svg></textarea>' +
      '<p title="<svg>"></p><template><svg></svg></template><noscript><i></i></noscript></body>'
    const page = new Page('a.html', html)
    expect(page.elements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['head', 'title', 'body', 'script', 'textarea', 'p', 'template', 'svg', 'i']),
    )
    expect(page.named('svg')).toHaveLength(1)
    expect(page.named('style')).toEqual([])
  })

  test('says the same once it is sealed, and still asks for what is open', () => {
    const html = '<head></head><p>é</p><p id="b" class="c"></p><i></i>'
    const page = new Page('a.html', html)
    const [, first, second, last] = page.elements
    let [id, text] = ['', '']
    if (!(first && second && last)) throw new Error('the elements are missing')
    page.replace(first, '<b>ü</b>')
    page.setAttribute(second, 'id', () => id)
    page.replace(last, () => text)
    page.css = 'a{}'
    page.seal()
    page.css = 'b{}'
    ;[id, text] = ['"', '<u></u>']
    expect(page.html).toBe('<head><style>b{}</style></head><b>ü</b><p id="&quot;" class="c"></p><u></u>')
    expect(page.elements).toEqual([])
  })

  test('refuses two changes of one place, of which one would be lost', () => {
    const page = new Page('a.html', '<p><i>1</i></p>')
    for (const element of page.elements) page.replace(element, '')
    expect(() => page.html).toThrow('a.html')
  })
})

describe('styles of parts that islands draw later', () => {
  const css = '@layer a{.on{top:0}.off{top:1px}}._ring_1psg1_1{top:2px}._line_dmiee_1{top:3px}p{top:4px}'
  const drawn = '<p class="on _secret_dmiee_2"></p>'
  const late = '@layer a{.off{top:1px}}._ring_1psg1_1{top:2px}'
  const move = (body: string, sheets: Readonly<Record<string, string>> = {}, styles = css) => {
    const only = hoistStyles('a.html', page('a.html', styles, body).html)
    const lateStyles = new LateStyles()
    lateStyles.add(only)
    only.seal()
    lateStyles.move(new Map(Object.entries(sheets)))
    return { html: only.html, files: [...lateStyles.files] }
  }

  test('are linked at the end of a page that has a place for them; modules move whole', () => {
    const { html, files } = move(`${drawn}<template data-late-styles></template>`)
    expect(html).toContain('<style>@layer a{.on{top:0}}._line_dmiee_1{top:3px}p{top:4px}</style>')
    expect(files).toEqual([[expect.stringMatching(/^\/_astro\/late\.[\w-]{8}\.css$/), late]])
    expect(html).toContain(`<link rel="stylesheet" href="${files[0]?.[0]}">`)
  })

  test('join the sheet that a page loads after its first view, under a new name', () => {
    const loader =
      '<noscript><link rel="stylesheet" href="/_astro/below.old.css"></noscript><script data-below="/_astro/below.old.css">load()</script>'
    const { html, files } = move(drawn + loader, { '/_astro/below.old.css': '.band{top:0}' })
    expect(files.map(([, sheet]) => sheet)).toEqual([`.band{top:0}\n${late}`])
    expect(html).toContain(`data-below="${files[0]?.[0]}"`)
    expect(html).toContain(`<link rel="stylesheet" href="${files[0]?.[0]}">`)
    expect(files[0]?.[0]).not.toContain('old')
  })

  test('include the files of a typeface where the sheet waits for the first view, and only there', () => {
    const file = '@font-face{font-family:A;src:url(/a.woff2)}'
    const local = '@font-face{font-family:B;src:local("Georgia")}'
    const styles = `${file}${local}.on{top:0}`
    const waiting = move(`${drawn}<script data-below="">load()</script>`, {}, styles)
    expect(waiting.files.map(([, sheet]) => sheet)).toEqual([`\n${file}`])
    expect(waiting.html).toContain(`<style>${local}.on{top:0}</style>`)
    const linked = move(`${drawn}<template data-late-styles></template>`, {}, styles)
    expect(linked.html).toContain(`<style>${styles}</style>`)
  })

  test('include those of what is marked as unseen, and only there', () => {
    const marked = '<footer class="foot on" data-late><p class="mark"></p></footer>'
    const styles = '.on{top:0}.foot{top:1px}.mark{top:2px}'
    const { html, files } = move(`${drawn}<template data-late-styles></template>${marked}`, {}, styles)
    expect(files.map(([, sheet]) => sheet)).toEqual(['.foot{top:1px}.mark{top:2px}'])
    expect(html).toContain('<style>.on{top:0}</style>')
  })

  test('include variants that no element has, by all classes of the selector', () => {
    const styles = '.on{top:0}.on.off:hover,.on.gone{top:1px}.on._secret_dmiee_2{top:2px}.on.off,.on{top:3px}'
    const { html, files } = move(`${drawn}<template data-late-styles></template>`, {}, styles)
    expect(files.map(([, sheet]) => sheet)).toEqual(['.on.off:hover,.on.gone{top:1px}'])
    expect(html).toContain('<style>.on{top:0}.on._secret_dmiee_2{top:2px}.on.off,.on{top:3px}</style>')
  })

  test('stay in a page that has no place for them', () => {
    expect(move(drawn)).toEqual({ html: page('a.html', css, drawn).html, files: [] })
  })
})
