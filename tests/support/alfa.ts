import { Audit, Outcome } from '@siteimprove/alfa-act'
import { Playwright } from '@siteimprove/alfa-playwright'
import { type Flattened, Rules } from '@siteimprove/alfa-rules'
import { Conformance, Criterion } from '@siteimprove/alfa-wcag'
import type { Page } from 'playwright/test'

const isAa = Conformance.isAA()
const rules: Iterable<Flattened.Rule> = Rules.values()
const wcagAa = [...rules].filter(rule =>
  rule.hasRequirement(requirement => Criterion.isCriterion(requirement) && isAa(requirement)),
)

/** Failed ACT rules of WCAG 2.2 AA on the current page, by Siteimprove's Alfa. One line each: rule, and where. */
export async function actFailures(page: Page): Promise<readonly string[]> {
  const handle = await page.evaluateHandle(() => document)
  const read = await Playwright.toPage(handle)
  await handle.dispose()
  const modal = (await page.locator('dialog:modal').count()) > 0
  const outcomes = [...(await Audit.of(read, wcagAa).evaluate())]
  return (
    outcomes
      .filter(outcome => Outcome.isFailed(outcome))
      // It works colours out by itself and does not know `light-dark()`: white on our red is white on nothing to it. axe asks
      // the browser.
      .filter(({ rule }) => !rule.uri.endsWith('sia-r69'))
      // It counts what lies behind an open dialog, where nobody can press it, and only as far as it sticks out. axe measures the
      // dialog's own targets.
      .filter(({ rule }) => !(modal && rule.uri.endsWith('sia-r113')))
      // The button of the country: Alfa joins name and code, which stand in two boxes, without the space of the label.
      .filter(
        ({ rule, target }) => !(rule.uri.endsWith('sia-r14') && String(target).includes('class="pick"')),
      )
      .map(
        ({ rule, target }) =>
          `${rule.uri.split('/').at(-1)}: ${String(target).replace(/\s+/g, ' ').slice(0, 200)}`,
      )
  )
}
