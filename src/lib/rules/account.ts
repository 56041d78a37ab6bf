import * as z from 'zod/mini'
import { cleanName } from './names.ts'

/** An address as accounts are keyed by it: trimmed and lower-cased, at most 254 characters (RFC 5321). */
export const emailAddress = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, 'That e-mail address is too long.'),
    z.email('Enter an e-mail address such as name@example.com.'),
  )

export const minPasswordLength = 8
export const maxPasswordLength = 128

/** Length is the only rule: composition rules make passwords worse (NIST SP 800-63B). */
export const password = z
  .string()
  .check(
    z.minLength(minPasswordLength, `Use at least ${minPasswordLength} characters.`),
    z.maxLength(maxPasswordLength, `Use at most ${maxPasswordLength} characters.`),
  )

export const maxNameLength = 80

/** What somebody is called, as they write it: any script, no control or invisible marks, blanks as one space each; may be empty. */
export const personName = z.string().check(
  z.maxLength(1000, `Use at most ${maxNameLength} characters.`),
  z.overwrite(cleanName),
  z.refine(name => [...name].length <= maxNameLength, `Use at most ${maxNameLength} characters.`),
)

/** Of each kind of mail that anybody can ask for (confirmation, reset), one address is sent one within so many seconds. */
export const mailGapSeconds = 60

/** How long a mailed link for a new password works. */
export const resetLinkMinutes = 30
