import * as z from 'zod/mini'
import { cleanName } from './account/names.ts'
import { supportTopics, texts } from './support-texts.ts'

export type SupportTopic = keyof typeof supportTopics

export const maxNameLength = 100
export const maxMessageLength = 5000

/** Databases reject lone surrogates, as left by a cut through an emoji. */
const wholeCharacters = z.overwrite<string>(text => text.toWellFormed())

const nameTooLong = () => texts.nameTooLong({ limit: `${maxNameLength}` })

/** Used in an e-mail subject, so it must be one line without direction marks. */
export const senderName = z
  .string()
  .check(
    z.maxLength(1000, { error: nameTooLong }),
    z.overwrite(cleanName),
    z.minLength(1, { error: () => texts.noName }),
    z.maxLength(maxNameLength, { error: nameTooLong }),
  )

export const topicNames = Object.keys(supportTopics) as SupportTopic[]

export const supportTopic = z.enum(topicNames, { error: () => texts.noTopic })

/** Control characters except line feed and tab. */
const invisible = /[^\P{Cc}\n\t]/gu

export const supportMessage = z.string().check(
  wholeCharacters,
  z.overwrite(text => text.replace(/\r\n?/g, '\n').replace(invisible, '')),
  z.trim(),
  z.minLength(1, { error: () => texts.noMessage }),
  z.maxLength(maxMessageLength, { error: () => texts.messageTooLong({ limit: `${maxMessageLength}` }) }),
)
