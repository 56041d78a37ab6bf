import { company } from '#lib/company.ts'
import { messages } from '#lib/i18n/messages.ts'

/** What the installed app says about itself. */
export const manifestTexts = messages('manifest', {
  description: company.tagline,
  call: 'Call',
  buyCredits: 'Buy credits',
  history: 'History',
})
