import { describe, expect, test } from 'vitest'
import { inlineHashes } from '#scripts/build/csp-hashes.mjs'

function page(html: string) {
  return inlineHashes([{ name: 'page.html', html }])
}

describe('hashes for the security policy', () => {
  test('cover inline scripts and styles, byte for byte as the browser hashes them', () => {
    // echo -n "alert('Hello, world.');" | openssl dgst -sha256 -binary | base64
    expect(page("<script>alert('Hello, world.');</script><style></style>")).toEqual({
      scripts: ["'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"],
      styles: ["'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
    })
  })

  test('name each piece once for the whole site', () => {
    const html = '<script>a()</script><script type="module">b()</script><style>p{}</style>'
    const { scripts, styles } = inlineHashes([
      { name: 'one.html', html },
      { name: 'two.html', html },
    ])
    expect([scripts.length, styles.length]).toEqual([2, 1])
  })

  test('leave out files and data, which need none', () => {
    const html = '<script src="/a.js"></script><script type="application/ld+json">{"a":1}</script>'
    expect(page(html)).toEqual({ scripts: [], styles: [] })
  })

  test('count a script inside a template, which is run once it is cloned', () => {
    expect(page('<template><script>a()</script></template>').scripts).toHaveLength(1)
  })

  test.each([
    '<p style="color:red">x</p>',
    '<p class=a style=color:red>x</p>',
    '<img src="x" onerror="go()">',
    '<a title="a > b" onclick="go()">x</a>',
  ])('do not exist for attributes, so the build stops at %s', html => {
    expect(() => page(html)).toThrow('page.html: the security policy forbids')
  })

  test.each([
    '<p data-style="a" title="style=1">x</p>',
    '<script>el.onclick = go; s = "<p style=1>"</script>',
    '<!-- <p style="a"> --><p>once on=1</p>',
  ])('are not asked of what only looks like an attribute: %s', html => {
    expect(() => page(html)).not.toThrow()
  })
})
