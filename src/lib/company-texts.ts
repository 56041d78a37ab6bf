import { company } from './company.ts'
import { messages } from './i18n/messages.ts'

/** Where the company is. */
export const companyTexts = messages('company', { city: company.city, place: company.place })
