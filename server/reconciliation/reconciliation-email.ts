import type { EmailTemplate } from '../mail/layout.ts'
import type { ReconciliationReport } from './reconcile-report.ts'

/** Max differences in the e-mail; all are in the log. */
const shown = 50

/** Reports the differences between calls, meter, ledger and provider to the operator. Needs at least one. */
export function reconciliationEmail({ differences, notCompared }: ReconciliationReport): EmailTemplate {
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`
  const rest = differences.length - shown
  return {
    subject: `${count} in today's reconciliation`,
    preview: "Calls, meter, ledger and provider don't agree.",
    heading: `${count} between calls, meter, ledger and provider`,
    paragraphs: [
      ...differences.slice(0, shown).map(({ text }) => text),
      ...(rest > 0 ? [`And ${rest} more, which are in the log.`] : []),
      ...(notCompared > 0
        ? [`We couldn't reach the provider about ${notCompared} payments. We'll compare them tomorrow.`]
        : []),
      "Nothing was changed. Once you've looked into it, compare again with: npm run admin -- reconcile",
    ],
    footnote: "This goes to the support address once a day for as long as something doesn't agree.",
  }
}
