import type { Auth, CommonErrorCode, Endpoint } from '../api/endpoint.ts'

/** The operator's own endpoints are not for everybody's programs, so the document leaves them out. */
export type DocumentedAuth = Exclude<Auth, 'operator'>
export type DocumentedEndpoint = Endpoint & { readonly auth: DocumentedAuth }

/** One endpoint of the contract with what a reader wants to know of it. */
export interface Operation {
  readonly kind: 'endpoint'
  readonly endpoint: DocumentedEndpoint
  /** One line. */
  readonly summary: string
  /** What the schemas do not say; may be left out. */
  readonly description: string | undefined
  /** Common failures that the shape of the endpoint does not tell. */
  readonly alsoFails: readonly CommonErrorCode[]
}

/** A file at a stable address, which is no endpoint of the contract. */
export interface FileOperation {
  readonly kind: 'file'
  readonly path: string
  readonly auth: DocumentedAuth
  readonly summary: string
  readonly description: string
  readonly mediaType: string
  /** What to call it when it is saved. */
  readonly saveAs: string
  /** Name of the component that describes its JSON; undefined for any other file. */
  readonly schema: string | undefined
}

/** Operations of one resource. The keys are the operation ids: stable, since generated clients name functions by them. */
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
