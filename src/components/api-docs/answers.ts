import type { Answer, DocumentedOperation } from '#lib/openapi/document.ts'
import { commonErrorDescriptions } from '#lib/openapi/error-descriptions.ts'
import type { JsonSchema } from '#lib/openapi/schema.ts'

export interface Success {
  readonly status: string
  readonly text: string
  readonly mediaType: string | undefined
  readonly schema: JsonSchema | undefined
  readonly example: unknown
}

/** The answers below 400 that carry something to read, or say that there is nothing. */
export function successOf({ responses }: DocumentedOperation): Success | undefined {
  const [status = '', answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  if (answer === undefined || !('description' in answer)) return undefined
  const [mediaType, content] = Object.entries(answer.content ?? {})[0] ?? []
  return { status, text: answer.description, mediaType, schema: content?.schema, example: content?.example }
}

export interface Failure {
  readonly status: string
  readonly code: string
  readonly when: string
}

/** The codes that only this operation, or few, come to. */
export function ownFailures(operation: DocumentedOperation): readonly Failure[] {
  return Object.entries(operation.responses).flatMap(([status, answer]) =>
    'description' in answer && Number(status) >= 400
      ? failuresIn(answer).map(failure => ({ status, ...failure }))
      : [],
  )
}

/** Codes that many operations share, which the page explains once. */
export function sharedCodes(operation: DocumentedOperation): readonly string[] {
  const names = Object.values(operation.responses).flatMap(answer => ('$ref' in answer ? [answer.$ref] : []))
  return Object.entries(commonErrorDescriptions).flatMap(([code, [component]]) =>
    names.includes(`#/components/responses/${component}`) ? [code] : [],
  )
}

function failuresIn({ description }: Answer): readonly { code: string; when: string }[] {
  return [...description.matchAll(/`(\w+)`: (.*)/g)].map(([, code = '', when = '']) => ({ code, when }))
}
