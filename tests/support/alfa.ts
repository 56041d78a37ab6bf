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
  const outcomes = [...(await Audit.of(read, wcagAa).evaluate())]
  return (
    outcomes
      .filter(outcome => Outcome.isFailed(outcome))
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
