import { noEmailText } from '#lib/account/email-texts.ts'

/** What is wrong with the e-mail of the login, as at the sign-up; null if it may be one. */
export function emailFault(email: string): string | null {
  if (email.trim() === '') return 'Enter your e-mail address.'
  return email.includes('@') ? null : noEmailText
}
