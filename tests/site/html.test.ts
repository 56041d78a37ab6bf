// @module-tag slow
import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { sourceLanguage } from '#lib/i18n/language.ts'
import { isCopy, placeOf, readBuiltSite } from '#support/built-site.ts'

/** In other languages one country stands for all, and the posts are those of the English pages. */
function isLikeAnother(each: string): boolean {
  const { language, route } = placeOf(each)
  return language !== sourceLanguage && (isCopy(each) || /^\/calling\/(?!in$)/.test(route))
}

test('every page is valid HTML', { timeout: 120_000 }, async () => {
  const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] })
  const faults: string[] = []
  for (const [route, html] of readBuiltSite()) {
    if (isLikeAnother(route)) continue
    const { results } = await validator.validateString(html, route)
    for (const { messages } of results) {
      faults.push(
        ...messages.map(
          ({ ruleId, message, line, column }) => `${route}:${line}:${column} ${ruleId} ${message}`,
        ),
      )
    }
  }
  expect(faults).toEqual([])
})

test('nothing stands behind the end of a page, where no script may', () => {
  const behind = [...readBuiltSite()].map(([route, html]) => [
    route,
    html
      .slice(html.search(/<\/body>\s*<\/html>/))
      .replace(/^<\/body>\s*<\/html>/, '')
      .trim(),
  ])
  expect(behind.filter(([, rest]) => rest !== '')).toEqual([])
})

test('every page for customers has one heading of the first level before any script runs', () => {
  const counts = [...readBuiltSite()]
    // Stand-ins of development, and the page of those who run the service.
    .filter(([route]) => !route.startsWith('/dev/') && route !== '/ops')
    .map(([route, html]) => {
      // What the dialler draws beforehand stands there for the eyes, and once more for its island.
      const outside = html.replace(/<template\b.*?<\/template>/gs, '')
      return [route, outside.match(/<h1[\s>]/g)?.length ?? 0] as const
    })
  expect(counts.filter(([, count]) => count !== 1)).toEqual([])
})
