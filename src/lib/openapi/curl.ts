import type { Method } from '../api/endpoint.ts'
import type { DocumentedAuth } from './operation.ts'

interface Request {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly auth: DocumentedAuth
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly example: unknown
  }[]
  readonly body: unknown
  readonly saveAs?: string
}

const setsCookie = new Set(['login', 'refreshToken', 'resetPassword'])

/** A curl command. `$SITE`: URL of the site; `$TOKEN`: access token. */
export function curlOf({ id, method, path, auth, parameters, body, saveAs }: Request): string {
  const inPath = parameters.filter(parameter => parameter.in === 'path')
  const query = parameters
    .filter(parameter => parameter.in === 'query')
    .slice(-1)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const address = inPath.reduce(
    (whole, { name, example }) => whole.replace(`:${name}`, encodeURIComponent(String(example))),
    path,
  )
  return [
    `curl "$SITE${address}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`--request ${method}`]),
    ...(auth === 'bearer' ? ['--header "Authorization: Bearer $TOKEN"'] : []),
    ...(auth === 'cookie' ? ['--cookie cookies.txt'] : []),
    ...(setsCookie.has(id) ? ['--cookie-jar cookies.txt'] : []),
    ...(body === undefined
      ? []
      : [
          `--header 'Content-Type: application/json'`,
          `--data '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
        ]),
    ...(saveAs === undefined ? [] : [`--output ${saveAs}`]),
  ].join(' \\\n  ')
}
