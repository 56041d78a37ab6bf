import type { Auth, CommonErrorCode, Endpoint } from '../api/endpoint.ts'

/** Operator endpoints are not public, so the document omits them. */
export type DocumentedAuth = Exclude<Auth, 'operator'>
export type DocumentedEndpoint = Endpoint & { readonly auth: DocumentedAuth }

export interface Operation {
  readonly kind: 'endpoint'
  readonly endpoint: DocumentedEndpoint
  readonly summary: string
  readonly description: string | undefined
  /** Common failures that cannot be derived from the endpoint's shape. */
  readonly alsoFails: readonly CommonErrorCode[]
}

export interface FileOperation {
  readonly kind: 'file'
  readonly path: string
  readonly auth: DocumentedAuth
  readonly summary: string
  readonly description: string
  readonly mediaType: string
  readonly saveAs: string
  /** Component that describes its JSON; undefined for other files. */
  readonly schema: string | undefined
}

/** The keys are the operation ids: stable, because generated clients name functions by them. */
export interface OperationGroup {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly operations: Readonly<Record<string, Operation | FileOperation>>
}

export function operation(
  endpoint: DocumentedEndpoint,
  summary: string,
  description?: string,
  alsoFails: readonly CommonErrorCode[] = [],
): Operation {
  return { kind: 'endpoint', endpoint, summary, description, alsoFails }
}

export function fileOperation(definition: Omit<FileOperation, 'kind'>): FileOperation {
  return { kind: 'file', ...definition }
}
