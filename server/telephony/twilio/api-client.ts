import { setTimeout as sleep } from 'node:timers/promises'
import twilio from 'twilio'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../http/log.ts'
import type { Random } from '../../random.ts'

/** How long the vendor is waited for, in milliseconds. */
export interface Patience {
  /** One attempt. */
  readonly attemptMs: number
  /** All attempts and the pauses between them; no attempt begins later. */
  readonly wholeMs: number
  /** The first pause; each further one is twice as long. Up to half of it is left to chance. */
  readonly pauseMs: number
}

/** Within the 15 s that the vendor itself waits for an answer of ours, should we ask while it does. */
export const defaultPatience: Patience = { attemptMs: 4000, wholeMs: 12_000, pauseMs: 250 }

/** Attempts at one request. */
const mostAttempts = 4

/** The vendor was not reached, or said that it cannot now: nobody's fault, and worth another try later. */
export class TwilioUnavailable extends Error {
  override readonly name = 'TwilioUnavailable'
  /** Whether what was asked for was surely not done. One that broke off, or was not answered, may have been. */
  readonly surelyNotDone: boolean
  constructor(message: string, surelyNotDone = false) {
    super(message)
    this.surelyNotDone = surelyNotDone
  }
}

export interface ApiClientTools {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly patience?: Patience
  /** Waits so many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>
}

export interface ApiSettings {
  readonly accountSid: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Where the API is asked, without a trailing slash. */
  readonly apiUrl: string
}

type Answer = Awaited<ReturnType<RequestClient['request']>>
type RequestClient = InstanceType<typeof twilio.RequestClient>
type Request = Parameters<RequestClient['request']>[0]

/**
 * The vendor's client, of which only the last step is ours: a request is made again after a pause when it was refused for
 * its rate (429), failed at the vendor's (5xx) or was not answered. Refusals (4xx) are the package's `RestException`.
 */
export function createApiClient(settings: ApiSettings, tools: ApiClientTools): twilio.Twilio {
  const { accountSid, apiKey, apiSecret } = settings
  const client = new PatientClient(settings.apiUrl, tools)
  return twilio(apiKey, apiSecret, { accountSid, httpClient: client })
}

class PatientClient extends twilio.RequestClient {
  readonly #apiUrl: string
  readonly #tools: ApiClientTools

  constructor(apiUrl: string, tools: ApiClientTools) {
    super()
    this.#apiUrl = apiUrl
    this.#tools = tools
  }

  /** @throws TwilioUnavailable after the last attempt */
  override async request<TData>(request: Request): Promise<Answer & { body: TData }> {
    const { clock, log } = this.#tools
    const { patience = defaultPatience, pause = sleep } = this.#tools
    const operation = operationOf(request)
    const startedMs = clock.monotonicMs()
    let surelyNotDone = true
    const leftMs = () => patience.wholeMs - (clock.monotonicMs() - startedMs)
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, Math.min(patience.attemptMs, leftMs()))
      if (outcome.kind === 'answered') return outcome.answer as Answer & { body: TData }
      surelyNotDone &&= outcome.surelyNotDone
      const pauseMs = outcome.retryAfterMs ?? this.#pauseMs(patience, attempt)
      const { status, reason } = outcome
      const again = attempt < mostAttempts && leftMs() > pauseMs && mayRepeat(request, status)
      // Never the request: it holds numbers.
      if (!again) {
        log.error({ operation, attempt, status, reason }, 'twilio did not do it')
        throw new TwilioUnavailable(`${operation}: ${status ?? reason}`, surelyNotDone)
      }
      log.warn({ operation, attempt, status, reason }, 'twilio is asked again')
      await pause(pauseMs)
    }
  }

  #pauseMs({ pauseMs }: Patience, attempt: number): number {
    const chance = (this.#tools.random.bytes(1)[0] ?? 0) / 255
    return pauseMs * 2 ** (attempt - 1) * (1 - chance / 2)
  }

  async #attempt(request: Request, timeoutMs: number): Promise<Outcome> {
    const { method, uri, headers, params, data, username, password } = request
    const url = new URL(uri.replace(vendorUrl, this.#apiUrl))
    for (const [name, value] of formOf(params)) url.searchParams.append(name, value)
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    try {
      const reply = await fetch(url, {
        method: method.toUpperCase(),
        headers: { ...(headers as Record<string, string>), authorization },
        body: data === undefined ? null : formOf(data).toString(),
        signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))),
      })
      const body = await reply.text()
      const { status } = reply
      if (status !== 429 && status < 500)
        return { kind: 'answered', answer: { statusCode: status, body, headers: {} } as Answer }
      const surelyNotDone = status === 429
      return { kind: 'trouble', status, reason: undefined, retryAfterMs: retryAfter(reply), surelyNotDone }
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      const surelyNotDone = neverConnected(error)
      return { kind: 'trouble', status: undefined, reason, retryAfterMs: undefined, surelyNotDone }
    }
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | {
      readonly kind: 'trouble'
      /** Undefined: no answer came. */
      readonly status: number | undefined
      readonly reason: string | undefined
      readonly retryAfterMs: number | undefined
      readonly surelyNotDone: boolean
    }

const vendorUrl = 'https://api.twilio.com'

/** What is asked for, without who or which: `POST Calls`. */
function operationOf({ method, uri }: Request): string {
  const [, resource = 'Account'] = /\/Accounts\/\w+\/([A-Za-z]+)/.exec(uri) ?? []
  return `${method.toUpperCase()} ${resource}`
}

/** A call that verifies a number rings somebody: made again only where it was surely not made. */
function mayRepeat({ method, uri }: Request, status: number | undefined): boolean {
  const rings = method.toLowerCase() === 'post' && uri.endsWith('/OutgoingCallerIds.json')
  return !rings || status === 429
}

/** Whether a request failed before there was a connection to send it on. */
function neverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } }
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(cause?.code))
}

/** Told in seconds, as the vendor does. */
function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined
}

function formOf(fields: unknown): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) form.append(name, String(value))
  }
  return form
}
