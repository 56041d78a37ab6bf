import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { readBuiltSite } from '#support/built-site.ts'

test('every page is valid HTML', { timeout: 120_000 }, async () => {
  const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] })
  const faults: string[] = []
  for (const [route, html] of readBuiltSite()) {
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
