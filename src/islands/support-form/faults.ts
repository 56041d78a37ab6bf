import type { ErrorBody } from '#lib/api/errors.ts'
import { emailAddress } from '#lib/rules/account.ts'
import { type SupportTopic, senderName, supportMessage, supportTopic } from '#lib/rules/support.ts'
import type { SupportMessage } from '#stores/support.ts'
import { faultOf, textOf } from '../field/check.ts'

const schemas = {
  name: senderName,
  email: emailAddress,
  about: supportTopic,
  message: supportMessage,
} as const

export type LetterField = keyof typeof schemas

/** What is wrong with each field; null where nothing is. */
export type Faults = Readonly<Record<LetterField, string | null>>

export const noFaults: Faults = { name: null, email: null, about: null, message: null }

export function faultIn(field: LetterField, value: string): string | null {
  return faultOf(schemas[field], value)
}

/** The letter as the form holds it, or null when something is wrong with it; and what. */
export function faultsIn(form: HTMLFormElement): readonly [SupportMessage | null, Faults] {
  const about = textOf(form, 'about')
  const letter = {
    name: textOf(form, 'name').trim(),
    email: textOf(form, 'email').trim(),
    message: textOf(form, 'message').trim(),
  }
  const faults = {
    name: faultIn('name', letter.name),
    email: faultIn('email', letter.email),
    about: faultIn('about', about),
    message: faultIn('message', letter.message),
  }
  const sound = Object.values(faults).every(fault => fault === null)
  return [sound ? { ...letter, about: about as SupportTopic } : null, faults]
}

/** What the server found wrong, field by field; null when it named none of ours. */
export function faultsFrom(body: ErrorBody | null): Faults | null {
  const about = (field: LetterField) => body?.errors?.find(fault => fault.field === field)?.message ?? null
  const faults = {
    name: about('name'),
    email: about('email'),
    about: about('about'),
    message: about('message'),
  }
  return Object.values(faults).every(fault => fault === null) ? null : faults
}
