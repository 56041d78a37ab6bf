import { emailAddress } from '#lib/account/account.ts'
import type { ErrorBody } from '#lib/api/errors.ts'
import { type SupportTopic, senderName, supportMessage, supportTopic } from '#lib/support.ts'
import { faultOf, textOf } from '#ui/check.ts'
import type { SupportMessage } from './support.ts'

const schemas = {
  name: senderName,
  email: emailAddress,
  about: supportTopic,
  message: supportMessage,
} as const

export type MessageField = keyof typeof schemas

export type Faults = Readonly<Record<MessageField, string | null>>

export const noFaults: Faults = { name: null, email: null, about: null, message: null }

export function faultIn(field: MessageField, value: string): string | null {
  return faultOf(schemas[field], value)
}

/** The message in the form, or null when it is invalid; and the error of each field. */
export function faultsIn(form: HTMLFormElement): readonly [SupportMessage | null, Faults] {
  const about = textOf(form, 'about')
  const draft = {
    name: textOf(form, 'name').trim(),
    email: textOf(form, 'email').trim(),
    message: textOf(form, 'message').trim(),
  }
  const faults = {
    name: faultIn('name', draft.name),
    email: faultIn('email', draft.email),
    about: faultIn('about', about),
    message: faultIn('message', draft.message),
  }
  const sound = Object.values(faults).every(fault => fault === null)
  return [sound ? { ...draft, about: about as SupportTopic } : null, faults]
}

/** The server's error messages by field; null when it named none of this form's fields. */
export function faultsFrom(body: ErrorBody | null): Faults | null {
  const about = (field: MessageField) => body?.errors?.find(fault => fault.field === field)?.message ?? null
  const faults = {
    name: about('name'),
    email: about('email'),
    about: about('about'),
    message: about('message'),
  }
  return Object.values(faults).every(fault => fault === null) ? null : faults
}
