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
    preview: 'Calls, meter, ledger and provider do not agree.',
    heading: `${count} between calls, meter, ledger and provider`,
    paragraphs: [
      ...differences.slice(0, shown).map(({ words }) => words),
      ...(rest > 0 ? [`And ${rest} more, which are in the log.`] : []),
      ...(notCompared > 0
        ? [`The provider was not reached about ${notCompared} payments; they are compared tomorrow.`]
        : []),
      'Nothing was changed. Once you have looked, compare again with: npm run admin -- reconcile',
    ],
    footnote: 'You get this once a day while something does not agree, because this is the support address.',
  }
}
