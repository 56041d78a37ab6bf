import { emailTexts } from '#lib/account/email-texts.ts'
import { texts } from './login-texts.ts'

/** What is wrong with the e-mail of the login, as at the sign-up; null if it may be one. */
export function emailFault(email: string): string | null {
  if (email.trim() === '') return texts.noEmail
  return email.includes('@') ? null : emailTexts.noAt
}
