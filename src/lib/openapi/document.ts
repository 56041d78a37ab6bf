import { type CommonErrorCode, commonErrors, type Endpoint } from '../api/endpoint.ts'
import { company } from '../company.ts'
import { curlOf } from './curl.ts'
import { commonErrorDescriptions, errorDescriptions } from './error-descriptions.ts'
import type { DocumentedAuth, FileOperation, Operation } from './operation.ts'
import { operationGroups } from './operations.ts'
import { componentSchemas, exampleOf, type JsonSchema, schemaOf } from './schema.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: JsonSchema
  readonly example: unknown
}

interface Content {
  readonly schema?: JsonSchema
  readonly example?: unknown
}

export interface Answer {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
  readonly 'x-codeSamples': readonly {
    readonly lang: string
    readonly label: string
    readonly source: string
  }[]
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Answer>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  readonly [part: string]: unknown
}

const json = 'application/json'
const schemas = componentSchemas()

const security: Readonly<Record<DocumentedAuth, readonly Readonly<Record<string, readonly string[]>>[]>> = {
  none: [],
  bearer: [{ accessToken: [] }],
  cookie: [{ refreshCookie: [] }, { secureRefreshCookie: [] }],
}

/** OpenAPI 3.1, generated from the contract alone: the same on every machine. */
export function openApiDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const { name, operations } of operationGroups) {
    for (const [id, operation] of Object.entries(operations)) {
      const [method, path, documented] =
        operation.kind === 'file' ? fileEntry(id, name, operation) : endpointEntry(id, name, operation)
      paths[path] = { ...paths[path], [method]: documented }
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${company.name} API`,
      version: '1',
      summary: company.tagline,
      description:
        "The API that this site's own pages use. Fields and codes may be added; existing ones keep their meaning.",
      contact: { email: company.supportEmail },
    },
    servers: [{ url: '/', description: 'The site that serves this document' }],
    tags: operationGroups.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: { schemas, responses: commonResponses(), securitySchemes },
  }
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token from login and refresh-token, valid for 15 minutes by default.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh',
    description: 'Set by login when the site is served without TLS, on your own machine.',
  },
  secureRefreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-refresh',
    description: 'Set by login: HttpOnly, rotated at each use.',
  },
} as const

type Entry = readonly [method: string, path: string, operation: DocumentedOperation]

function endpointEntry(id: string, tag: string, operation: Operation): Entry {
  const { endpoint, summary, description } = operation
  const { body, auth, method } = endpoint
  const sent = body === undefined ? undefined : contentOf(schemaOf(body, 'input', [id, 'body']), [id, 'body'])
  const parameters = [...parametersOf(id, endpoint, 'path'), ...parametersOf(id, endpoint, 'query')]
  return [
    method.toLowerCase(),
    endpoint.path.replace(/:(\w+)/g, '{$1}'),
    {
      operationId: id,
      tags: [tag],
      summary,
      ...(description === undefined ? {} : { description }),
      security: security[auth],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(sent === undefined ? {} : { requestBody: { required: true, content: { [json]: sent } } }),
      responses: { ...success(id, endpoint), ...failuresOf(operation) },
      'x-codeSamples': [
        shell(curlOf({ id, method, path: endpoint.path, auth, parameters, body: sent?.example })),
      ],
    },
  ]
}

function fileEntry(id: string, tag: string, file: FileOperation): Entry {
  const { path, auth, summary, description, mediaType, schema, saveAs } = file
  const content =
    schema === undefined ? {} : contentOf({ $ref: `#/components/schemas/${schema}` }, [id, 'reply'])
  return [
    'get',
    path,
    {
      operationId: id,
      tags: [tag],
      summary,
      description,
      security: security[auth],
      responses: {
        200: { description: 'The file', content: { [mediaType]: content } },
        ...(auth === 'none' ? { 304: { description: 'Not changed since your copy (If-None-Match)' } } : {}),
        ...commonReferences(auth === 'none' ? [] : ['unauthorized', ...always]),
      },
      'x-codeSamples': [
        shell(curlOf({ id, method: 'GET', path, auth, parameters: [], body: undefined, saveAs })),
      ],
    },
  ]
}

function shell(source: string) {
  return { lang: 'Shell', label: 'curl', source }
}

function contentOf(schema: JsonSchema, owner: readonly string[]): { schema: JsonSchema; example: unknown } {
  return { schema, example: exampleOf(schema, schemas, owner) }
}

function parametersOf(id: string, endpoint: Endpoint, where: 'path' | 'query'): readonly Parameter[] {
  const part = where === 'path' ? 'params' : 'query'
  const declared = endpoint[part]
  if (declared === undefined) return []
  const whole = schemaOf(declared, 'input', [id, part])
  const examples = exampleOf(whole, schemas, [id, part]) as Readonly<Record<string, unknown>>
  return Object.entries(whole.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || (whole.required?.includes(name) ?? false),
    description,
    schema,
    example: examples[name],
  }))
}

function success(id: string, { status, reply }: Endpoint): Readonly<Record<string, Answer>> {
  if (status === 204) return { 204: { description: 'Done; the response is empty' } }
  const content = { [json]: contentOf(schemaOf(reply, 'output', [id, 'reply']), [id, 'reply']) }
  return { [status]: { description: status === 202 ? 'Accepted' : 'Done', content } }
}

const always: readonly CommonErrorCode[] = ['too_many_requests', 'internal', 'unavailable']

function commonCodes({ endpoint, alsoFails }: Operation): readonly CommonErrorCode[] {
  const { method, auth, params, query, body, errors } = endpoint
  const takes = params !== undefined || query !== undefined || body !== undefined
  const looksUp = params !== undefined && auth === 'bearer' && !Object.values(errors).includes(404)
  return [
    ...(takes ? (['invalid_request'] as const) : []),
    ...(auth === 'bearer' ? (['unauthorized'] as const) : []),
    ...(method === 'GET' ? [] : (['forbidden_origin'] as const)),
    ...(looksUp ? (['not_found'] as const) : []),
    ...(body === undefined ? [] : (['too_large'] as const)),
    ...alsoFails,
    ...always,
  ]
}

/** One response per status; a status with only a common code uses the shared response. */
function failuresOf(operation: Operation): DocumentedOperation['responses'] {
  const own = Object.entries(operation.endpoint.errors)
  const common = commonCodes(operation)
  const responses: Record<string, Answer> = {}
  for (const status of new Set(own.map(([, code]) => code))) {
    const codes = [
      ...own
        .filter(([, other]) => other === status)
        .map(([code]) => [code, errorDescriptions[code] ?? ''] as const),
      ...common
        .filter(code => commonErrors[code] === status)
        .map(code => [code, commonErrorDescriptions[code][1]] as const),
    ]
    responses[status] = failure(codes)
  }
  return {
    ...commonReferences(common.filter(code => responses[commonErrors[code]] === undefined)),
    ...responses,
  }
}

function commonReferences(codes: readonly CommonErrorCode[]): Readonly<Record<string, { $ref: string }>> {
  return Object.fromEntries(
    codes.map(code => [
      commonErrors[code],
      { $ref: `#/components/responses/${commonErrorDescriptions[code][0]}` },
    ]),
  )
}

function commonResponses(): Readonly<Record<string, Answer>> {
  const codes = Object.keys(commonErrors) as CommonErrorCode[]
  return Object.fromEntries(
    codes.map(code => [
      commonErrorDescriptions[code][0],
      failure([[code, commonErrorDescriptions[code][1]]]),
    ]),
  )
}

function failure(codes: readonly (readonly [code: string, when: string])[]): Answer {
  const code = { enum: codes.map(([name]) => name) }
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error: { type: 'object', properties: { code } } } },
    ],
  }
  const description = codes.map(([name, when]) => `\`${name}\`: ${when}`).join('\n\n')
  return { description, content: { [json]: { schema } } }
}
