import * as z from 'zod/mini'

/** What a message to support can be about, in the order of the form. */
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

/** Half a character, as a cut through a smiley leaves it, is no text: a database refuses it. */
const wholeCharacters = z.overwrite<string>(text => text.toWellFormed())

/** A single line: it stands in the subject of a mail. */
export const senderName = z
  .string()
  .check(
    wholeCharacters,
    z.trim(),
    z.minLength(1, 'Tell us your name.'),
    z.maxLength(maxNameLength, `Use at most ${maxNameLength} characters.`),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Use letters and spaces only, on one line.'),
  )

const topicNames = Object.keys(supportTopics) as SupportTopic[]

export const supportTopic = z.enum(topicNames, 'Choose what it is about.')

/** Control characters other than the end of a line and the tabulator. */
const invisible = /[^\P{Cc}\n\t]/gu

export const supportMessage = z.string().check(
  wholeCharacters,
  z.overwrite(text => text.replace(/\r\n?/g, '\n').replace(invisible, '')),
  z.trim(),
  z.minLength(1, 'Write your message.'),
  z.maxLength(
    maxMessageLength,
    `That is too long for one message. Use at most ${maxMessageLength} characters.`,
  ),
)
