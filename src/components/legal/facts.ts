import { company } from '#lib/company.ts'
import { companyTexts } from '#lib/company-texts.ts'
import { formatCharge } from '#lib/money/money.ts'
import { defaultFreeCallTerms } from '#lib/money/pricing.ts'
import { emergencyMessage } from '#lib/numbers/emergency.ts'

/** What texts say as `{{name}}`, so that they change with what the owner renames or sets. */
const facts: Readonly<Record<string, () => string>> = {
  name: () => company.name,
  legalName: () => company.legalName,
  place: () => companyTexts.place,
  supportEmail: () => company.supportEmail,
  emergencyMessage,
  freeCallWorth: () => formatCharge(defaultFreeCallTerms.worthMicroUsd),
  freeCallMinutes: () => String(defaultFreeCallTerms.longestMinutes),
}

/** @throws Error on a name that is no fact */
export function fillFacts(text: string): string {
  return text.replace(/\{\{(.*?)\}\}/g, (_, name: string) => {
    const fact = facts[name.trim()]
    if (fact === undefined) throw new Error(`{{${name}}} is none of: ${Object.keys(facts).join(', ')}`)
    return fact()
  })
}

/** The same for HTML, where the support address is a link. */
export function fillFactsInHtml(html: string): string {
  const link = `<a href="mailto:${company.supportEmail}">${company.supportEmail}</a>`
  return fillFacts(html.replaceAll('{{supportEmail}}', link))
}
