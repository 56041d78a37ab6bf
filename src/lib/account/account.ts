import * as z from 'zod/mini'
import { texts } from './account-texts.ts'
import { emailTexts } from './email-texts.ts'
import { cleanName } from './names.ts'

/** Account key: trimmed, lower case, max 254 characters (RFC 5321). */
export const emailAddress = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(254, { error: () => texts.emailTooLong }),
  // The last one would find fault with the same address again.
  z.refine(text => text.includes('@'), {
    error: () => emailTexts.noAt,
    abort: true,
  }),
  z.email({ error: () => texts.emailExample }),
)

export const minPasswordLength = 8
export const maxPasswordLength = 128

/** Length is the only rule: composition rules make passwords worse (NIST SP 800-63B). */
export const password = z
  .string()
  .check(
    z.minLength(minPasswordLength, { error: () => texts.tooShort({ length: minPasswordLength }) }),
    z.maxLength(maxPasswordLength, { error: () => texts.tooLong({ length: maxPasswordLength }) }),
  )

export const maxNameLength = 80
const nameTooLong = () => texts.tooLong({ length: maxNameLength })

/** A display name in any script, without control or invisible characters, with single spaces; may be empty. */
export const personName = z.string().check(
  z.maxLength(1000, { error: nameTooLong }),
  z.overwrite(cleanName),
  z.refine(name => [...name].length <= maxNameLength, { error: nameTooLong }),
)

/** Min gap between e-mails of one kind that anyone can request for an address (confirmation, reset). */
export const mailGapSeconds = 60

export const resetLinkMinutes = 30
