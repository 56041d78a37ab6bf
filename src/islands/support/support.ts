import type { RequestInput } from '#lib/api/endpoint.ts'
import { support } from '#lib/api/support.ts'
import { type ApiResult, request } from '#session/transport.ts'

export type SupportMessage = Omit<RequestInput<typeof support>['body'], 'formId'>

let formId: string | undefined

/** One id per page load, so that the server recognises a repeated message. */
function formOfThisPage(): string {
  formId ??= Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return formId
}

/** Sends a message to support. Safe to repeat after a lost answer: the same text counts as one message. */
export function sendToSupport(message: SupportMessage): Promise<ApiResult<typeof support>> {
  return request(support, { body: { ...message, formId: formOfThisPage() } })
}
