import { setTimeout as sleep } from 'node:timers/promises'
import twilio from 'twilio'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'

export interface RetryPolicy {
  readonly attemptMs: number
  /** Max time of all attempts and pauses; no attempt begins later. */
  readonly wholeMs: number
  /** First pause; each further one is twice as long. Jitter takes off up to half of it. */
  readonly pauseMs: number
}

/** Below the 15 s that the vendor waits for our webhook answer, in which we may call it. */
export const defaultRetryPolicy: RetryPolicy = { attemptMs: 4000, wholeMs: 12_000, pauseMs: 250 }

const maxAttempts = 4

/** The vendor was not reached or reported a temporary failure; a later retry may help. */
export class TwilioUnavailable extends Error {
  override readonly name = 'TwilioUnavailable'
  /** Whether the request certainly had no effect. One that broke off or got no answer may have had one. */
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
  readonly retryPolicy?: RetryPolicy
  readonly pause?: (ms: number) => Promise<unknown>
}

export interface ApiSettings {
  readonly accountSid: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string
}

type Answer = Awaited<ReturnType<RequestClient['request']>>
type RequestClient = InstanceType<typeof twilio.RequestClient>
type Request = Parameters<RequestClient['request']>[0]

/** Requests are repeated after 429, 5xx or no answer. Other 4xx are the package's `RestException`. */
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
    const { retryPolicy: patience = defaultRetryPolicy, pause = sleep } = this.#tools
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
      const again = attempt < maxAttempts && leftMs() > pauseMs && mayRepeat(request, status)
      // Never log the request: it holds phone numbers.
      if (!again) {
        log.error({ operation, attempt, status, reason }, 'a Twilio request failed')
        throw new TwilioUnavailable(`${operation}: ${status ?? reason}`, surelyNotDone)
      }
      log.warn({ operation, attempt, status, reason }, 'a Twilio request is repeated')
      await pause(pauseMs)
    }
  }

  #pauseMs({ pauseMs }: RetryPolicy, attempt: number): number {
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
      readonly status: number | undefined
      readonly reason: string | undefined
      readonly retryAfterMs: number | undefined
      readonly surelyNotDone: boolean
    }

const vendorUrl = 'https://api.twilio.com'

function operationOf({ method, uri }: Request): string {
  const [, resource = 'Account'] = /\/Accounts\/\w+\/([A-Za-z]+)/.exec(uri) ?? []
  return `${method.toUpperCase()} ${resource}`
}

/** A verification request rings a telephone: repeat it only if it certainly was not carried out. */
function mayRepeat({ method, uri }: Request, status: number | undefined): boolean {
  const rings = method.toLowerCase() === 'post' && uri.endsWith('/OutgoingCallerIds.json')
  return !rings || status === 429
}

function neverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } }
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(cause?.code))
}

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
