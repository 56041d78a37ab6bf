import * as z from 'zod/mini'
import { noEmailText } from './email-texts.ts'
import { cleanName } from './names.ts'

/** Account key: trimmed, lower case, max 254 characters (RFC 5321). */
export const emailAddress = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(254, 'That e-mail address is too long.'),
  // The last one would find fault with the same address again.
  z.refine(text => text.includes('@'), {
    error: noEmailText,
    abort: true,
  }),
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

/** A display name in any script, without control or invisible characters, with single spaces; may be empty. */
export const personName = z.string().check(
  z.maxLength(1000, `Use at most ${maxNameLength} characters.`),
  z.overwrite(cleanName),
  z.refine(name => [...name].length <= maxNameLength, `Use at most ${maxNameLength} characters.`),
)

/** Min gap between e-mails of one kind that anyone can request for an address (confirmation, reset). */
export const mailGapSeconds = 60

export const resetLinkMinutes = 30
