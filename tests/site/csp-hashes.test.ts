import { describe, expect, test } from 'vitest'
import { hashOf, scriptHashes } from '#scripts/build/csp-hashes.mjs'
import { Page } from '#scripts/build/page.mjs'

function hashes(html: string) {
  return scriptHashes(new Page('page.html', html))
}

describe('hashes for the security policy', () => {
  test('cover inline scripts and styles, byte for byte as the browser hashes them', () => {
    // echo -n "alert('Hello, world.');" | openssl dgst -sha256 -binary | base64
    const script = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    expect(hashes("<script>alert('Hello, world.');</script>")).toEqual([script])
    expect(hashOf('')).toBe("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
  })

  test('name each script once, and none that is moved into a file', () => {
    const page = new Page(
      'a.html',
      '<script>a()</script><script>b()</script><script>a()</script><script>c()</script>',
    )
    const moved = page.elements.at(-1)
    if (moved) page.replace(moved, '<script src="/c.js"></script>')
    expect(scriptHashes(page)).toEqual([hashOf('a()'), hashOf('b()')])
  })

  test('leave out files and data, which need none', () => {
    const html = '<script src="/a.js"></script><script type="application/ld+json">{"a":1}</script>'
    expect(hashes(html)).toEqual([])
  })

  test('count a script inside a template, which is run once it is cloned', () => {
    expect(hashes('<template><script>a()</script></template>')).toHaveLength(1)
  })

  test.each([
    '<p style="color:red">x</p>',
    '<p class=a style=color:red>x</p>',
    '<img src="x" onerror="go()">',
    '<a title="a > b" onclick="go()">x</a>',
  ])('do not exist for attributes, so the build stops at %s', html => {
    expect(() => hashes(html)).toThrow('page.html: the security policy forbids')
  })

  test.each([
    '<p data-style="a" title="style=1">x</p>',
    '<script>el.onclick = go; s = "<p style=1>"</script>',
    '<!-- <p style="a"> --><p>once on=1</p>',
  ])('are not asked of what only looks like an attribute: %s', html => {
    expect(() => hashes(html)).not.toThrow()
  })
})
