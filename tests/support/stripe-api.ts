import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { apiVersion, type StripeAddress } from '#server/payment-provider/stripe/client.ts'
import { type Form, readForm } from './stripe-api-form.ts'
import { createStripeAccount, type StripeAccount } from './stripe-api-objects.ts'
import { parameters, readParameters, refuse, StripeRejection } from './stripe-api-parameters.ts'

/**
 * How a request fails. Not executed: `error`: 500; `rate`: 429; `busy`: 409, the idempotency key is in use; `silent`:
 * no answer. Executed: `lost`: the answer never arrives; `cut`: the connection breaks. `kept_error`: 500, and stored
 * for its key. `hopeless`: 500 that says not to retry. `gateway`: an HTML page instead of an answer.
 */
export type Trouble =
  | 'error'
  | 'rate'
  | 'busy'
  | 'silent'
  | 'lost'
  | 'cut'
  | 'kept_error'
  | 'hopeless'
  | 'gateway'

export interface StripeRequest {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly parameters: Form
}

export interface SignedEvent {
  readonly type: string
  readonly body: string
  readonly signature: string
}

export interface StripeApi {
  readonly address: StripeAddress
  readonly secretKey: string
  readonly webhookSecret: string
  readonly account: StripeAccount
  readonly requests: readonly StripeRequest[]
  /** Makes the next requests fail, one kind each. */
  trouble(...kinds: readonly Trouble[]): void
  /** Events since the last call, oldest first, signed at the current time. */
  takeEvents(): SignedEvent[]
  /** Signs any body as Stripe would. @param at default: the current time */
  sign(body: string, at?: Date): string
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: string
}

const webhookSecret = 'whsec_3f9c1d7e5b2a48609c7d1e3f5a7b9c0d'

/** Stripe's HTTP API on a loopback port, as strict as its documentation, with state. */
export async function startStripeApi(now: () => Date, mode: 'test' | 'live' = 'test'): Promise<StripeApi> {
  const secretKey = `sk_${mode}_51OnLoopbackOnly`
  const client = new Stripe(secretKey, { apiVersion })
  const requests: StripeRequest[] = []
  const troubles: Trouble[] = []
  const answered = new Map<string, { readonly request: string; readonly answer: Answer }>()
  let events: { type: string; body: string }[] = []
  let eventCount = 0

  const emit = (type: string, object: object) => {
    const event = {
      id: `evt_${String(++eventCount).padStart(14, '0')}`,
      object: 'event',
      api_version: apiVersion,
      created: Math.floor(now().getTime() / 1000),
      livemode: mode === 'live',
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object },
    }
    events.push({ type, body: JSON.stringify(event, null, 2) })
  }
  const account = createStripeAccount({ now, livemode: mode === 'live', emit })
  const sign = (body: string, at = now()) =>
    client.webhooks.generateTestHeaderString({
      payload: body,
      secret: webhookSecret,
      timestamp: at.getTime() / 1000,
    })

  /**
   * Executes a request. A repeated idempotency key gets the stored answer, and must not be used for another request.
   */
  const perform = (request: StripeRequest, isKept: boolean): Answer => {
    const whole = JSON.stringify([request.method, request.path, request.parameters])
    const known = request.key === undefined ? undefined : answered.get(request.key)
    if (known !== undefined) {
      return known.request === whole ? known.answer : { status: 400, body: JSON.stringify(otherParameters) }
    }
    const run = (): Answer & { isFinal: boolean } => {
      try {
        const done = route(account, request)
        return { status: 200, body: JSON.stringify(done), isFinal: true }
      } catch (error) {
        if (!(error instanceof StripeRejection)) throw error
        // Validation errors are not stored for the key; answers of the bank are.
        return {
          status: error.status,
          body: JSON.stringify({ error: error.body }),
          isFinal: error.status === 402,
        }
      }
    }
    const { isFinal, ...answer } = run()
    const kept = isKept ? serverError : answer
    if (request.key !== undefined && (isFinal || isKept)) {
      answered.set(request.key, { request: whole, answer: kept })
    }
    return kept
  }

  const server = createServer((incoming, outgoing) => {
    void receive(incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(599).end(String(error))
    })
  })
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://api')
    const body = await text(incoming)
    const { headers, method = 'GET' } = incoming
    const key = headers['idempotency-key']
    const request: StripeRequest = {
      method,
      path: pathname,
      key: typeof key === 'string' ? key : undefined,
      parameters: readForm(method === 'GET' ? search.slice(1) : body),
    }
    requests.push(request)
    const send = ({ status, body: answer }: Answer, more: Record<string, string> = {}) => {
      const common = { 'content-type': 'application/json', 'request-id': `req_${requests.length}` }
      outgoing.writeHead(status, { ...common, ...more }).end(answer)
    }

    const trouble = troubles.shift()
    if (trouble === 'silent') return
    if (trouble === 'error') return send(serverError)
    if (trouble === 'hopeless') return send(serverError, { 'stripe-should-retry': 'false' })
    if (trouble === 'rate') return send(tooMany)
    if (trouble === 'busy') return send(keyInUse)
    if (trouble === 'gateway') return send({ status: 502, body: '<h1>Bad gateway</h1>' })

    const fault = faultOf(incoming, secretKey)
    const answer = fault ?? perform(request, trouble === 'kept_error')
    if (trouble === 'lost') return
    if (trouble === 'cut') return void incoming.socket.destroy()
    send(answer)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, protocol: 'http' },
    secretKey,
    webhookSecret,
    account,
    requests,
    trouble: (...kinds) => void troubles.push(...kinds),
    takeEvents: () => {
      const taken = events.map(({ type, body }) => ({ type, body, signature: sign(body) }))
      events = []
      return taken
    },
    sign,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const errorOf = (type: string, message: string, code?: string) => ({ error: { type, message, code } })
const otherParameters = errorOf(
  'idempotency_error',
  'Keys for idempotent requests can only be used with the same parameters they were first used with.',
)
const serverError: Answer = { status: 500, body: JSON.stringify(errorOf('api_error', 'Sorry.')) }
const tooMany: Answer = {
  status: 429,
  body: JSON.stringify(errorOf('invalid_request_error', 'Too many requests.', 'rate_limit')),
}
const keyInUse: Answer = {
  status: 409,
  body: JSON.stringify(errorOf('invalid_request_error', 'The key is in use.', 'idempotency_key_in_use')),
}

/** Errors found before the parameters are read. */
function faultOf({ headers, method }: IncomingMessage, secretKey: string): Answer | undefined {
  const wrong = (status: number, message: string) => ({
    status,
    body: JSON.stringify(errorOf('invalid_request_error', message)),
  })
  if (headers.authorization !== `Bearer ${secretKey}`) return wrong(401, 'Invalid API Key provided')
  if (headers['stripe-version'] !== apiVersion) return wrong(400, 'Invalid Stripe API version')
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  if (method === 'POST' && !isForm) return wrong(400, 'Invalid request')
  if (String(headers['idempotency-key'] ?? '').length > 255) return wrong(400, 'Idempotency key too long')
  return undefined
}

function route(account: StripeAccount, { method, path, parameters: form }: StripeRequest): object {
  const [, version, ...parts] = path.split('/')
  const [first = '', second, third, fourth] = parts
  const shape = `${method} ${[first, first === 'checkout' ? second : undefined].filter(Boolean).join('/')}`
  const [id, action] = first === 'checkout' ? [third, fourth] : [second, third]
  const what = `${shape}${id === undefined ? '' : '/:id'}${action === undefined ? '' : `/${action}`}`
  if (version !== 'v1') refuse('Unrecognized request URL', { status: 404 })
  switch (what) {
    case 'POST checkout/sessions':
      return account.createSession(readParameters(parameters.sessionCreate, form))
    case 'GET checkout/sessions/:id':
      return account.retrieveSession(id ?? '', readParameters(parameters.sessionRetrieve, form))
    case 'POST checkout/sessions/:id/expire':
      readParameters(parameters.sessionExpire, form)
      return account.expireSession(id ?? '')
    case 'POST payment_intents':
      return account.createIntent(readParameters(parameters.intentCreate, form))
    case 'GET payment_intents':
      return account.listIntents(readParameters(parameters.intentList, form))
    case 'GET payment_intents/:id':
      return account.retrieveIntent(id ?? '', readParameters(parameters.intentRetrieve, form))
    case 'POST refunds':
      return account.createRefund(readParameters(parameters.refundCreate, form))
    case 'GET refunds':
      return account.listRefunds(readParameters(parameters.refundList, form))
    case 'GET payment_methods/:id':
      readParameters(parameters.methodRetrieve, form)
      return account.retrieveMethod(id ?? '')
    case 'POST payment_methods/:id/detach':
      readParameters(parameters.methodDetach, form)
      return account.detachMethod(id ?? '')
    default:
      return refuse(`Unrecognized request URL (${method}: ${path}).`, { status: 404 })
  }
}
