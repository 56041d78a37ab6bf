import { createRequire } from 'node:module'
import { minPasswordLength } from '#lib/rules/account.ts'

const load = createRequire(import.meta.url)

/** Read at the first question: 20 ms that no start and no browser pays for. */
let common: ReadonlySet<string> | undefined

/** Whether a password is one of the 18,000 that people choose most, in whatever case. Never on the list: those too short anyway. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readCommon())
  return common.has(password.toLowerCase())
}

/**
 * Why a password may not be chosen, in words for the one who chose it; undefined when it may be. Ask before any hashing.
 * Passwords are compared and hashed as typed, without Unicode normalisation: one that was set can always be typed again
 * the same way, and no update of the rules locks somebody out.
 * @param email of the account that it would open, in any case
 */
export function weakPasswordWords(password: string, email: string): string | undefined {
  if (isCommonPassword(password)) return 'That password is among the most common ones. Choose another.'
  const [address, typed] = [email.trim().toLowerCase(), password.trim().toLowerCase()]
  if (typed === address || typed === address.slice(0, address.lastIndexOf('@'))) {
    return 'That password is your e-mail address. Choose another.'
  }
  return undefined
}

function readCommon(): string[] {
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common']
    .filter(password => password.length >= minPasswordLength)
    .map(password => password.toLowerCase())
}
