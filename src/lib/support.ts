import * as z from 'zod/mini'
import { cleanName } from './account/names.ts'

export const supportTopics = {
  call: 'A call',
  payment: 'A payment or refund',
  own_number: 'Verifying my number',
  restricted: 'My account is restricted',
  referral: 'A referral link',
  other: 'Something else',
} as const

export type SupportTopic = keyof typeof supportTopics

export const maxNameLength = 100
export const maxMessageLength = 5000

/** Databases reject lone surrogates, as left by a cut through an emoji. */
const wholeCharacters = z.overwrite<string>(text => text.toWellFormed())

/** Used in an e-mail subject, so it must be one line without direction marks. */
export const senderName = z
  .string()
  .check(
    z.maxLength(1000, `Use at most ${maxNameLength} characters.`),
    z.overwrite(cleanName),
    z.minLength(1, 'Tell us your name.'),
    z.maxLength(maxNameLength, `Use at most ${maxNameLength} characters.`),
  )

const topicNames = Object.keys(supportTopics) as SupportTopic[]

export const supportTopic = z.enum(topicNames, "Choose what it's about.")

/** Control characters except line feed and tab. */
const invisible = /[^\P{Cc}\n\t]/gu

export const supportMessage = z.string().check(
  wholeCharacters,
  z.overwrite(text => text.replace(/\r\n?/g, '\n').replace(invisible, '')),
  z.trim(),
  z.minLength(1, 'Write your message.'),
  z.maxLength(
    maxMessageLength,
    `That's too long for one message. Use at most ${maxMessageLength} characters.`,
  ),
)
