import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TwilioSettings } from '#server/config.ts'
import type { Clock } from '#server/process/clock.ts'
import { CallerIds } from './caller-ids.ts'
import { Dialling } from './dialling.ts'
import { operations, readParameters } from './parameters.ts'
import { ApiRejection, notFound } from './rejection.ts'
import { Switchboard } from './switchboard.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

/**
 * How a request fails. `error`: 500, `busy`: 503, `rate`: 429 with `Retry-After`; none of these executes it.
 * `silent`: neither executed nor answered. `lost`: executed, but the answer never arrives. `cut`: the connection
 * breaks before execution. `gateway`: an HTML page.
 */
export type Trouble = 'error' | 'busy' | 'rate' | 'silent' | 'lost' | 'cut' | 'gateway'

export interface ApiRequest {
  readonly method: string
  /** Below the account, such as `Calls/CA….json`. For another account: the full path. */
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
}

export interface FakeTwilio {
  readonly settings: TwilioSettings
  readonly switchboard: Switchboard
  readonly callerIds: CallerIds
  readonly dialling: Dialling
  readonly webhooks: Webhooks
  /** The application as the API returns it. Tests may change it. */
  readonly application: Record<string, string | null>
  /** The account's balance in US dollars. */
  balance: string
  readonly requests: readonly ApiRequest[]
  /**
   * Requests rejected because they violate the documentation, oldest first. A bug of ours: tests assert that there
   * are none.
   */
  readonly faults: readonly string[]
  /** Makes the next requests fail, one kind each. */
  trouble(...kinds: readonly Trouble[]): void
  /** Makes all requests fail this way from now on; undefined: none. */
  outage: Trouble | undefined
  close(): Promise<void>
}

export interface FakeTwilioOptions {
  readonly clock: Clock
  /** Our public URL: configured in the application, and part of what is signed. */
  readonly publicUrl: string
  /** The real URL of a path below `publicUrl`; default: `publicUrl` plus the path. */
  readonly deliverTo?: (path: string) => string
  readonly port?: number
  readonly appStatus?: boolean
  /** Whether the voice URL is also the fallback URL. */
  readonly fallback?: boolean
  /** Answers requests outside the API: the controls of `process.ts`. */
  readonly other?: (request: { method: string; path: string; body: string }) => Promise<object> | undefined
}

const hex = (kind: string, digit: string) => kind + digit.repeat(32)

export const fakeAccount = {
  accountSid: hex('AC', '1'),
  authToken: '2'.repeat(32),
  apiKey: hex('SK', '3'),
  apiSecret: '4'.repeat(32),
  appSid: hex('AP', '5'),
  publicNumber: '+14155550100',
  eeaNumber: '+46846500400',
} as const

const retryAfterSeconds = 1

/**
 * Twilio's REST API on a loopback port, as strict as its documentation, with a simulated telephone network behind it.
 * Webhooks are signed by the function of Twilio's own package.
 */
export async function startFakeTwilio(options: FakeTwilioOptions): Promise<FakeTwilio> {
  const { clock, publicUrl, deliverTo = (path: string) => publicUrl + path } = options
  const { accountSid, authToken, appSid, publicNumber, eeaNumber } = fakeAccount
  let made = 0
  // Sids must differ after a restart, because our database holds the old ones.
  const birth = Math.floor(performance.timeOrigin + performance.now()).toString(16)
  const newSid = (kind: string) =>
    kind + `${birth}${(++made).toString(16).padStart(8, '0')}`.padStart(32, '0')
  const webhooks = createWebhooks({
    authToken,
    deliverTo: url => (url.startsWith(publicUrl) ? deliverTo(url.slice(publicUrl.length)) : url),
  })
  const callerIds = new CallerIds({
    accountSid,
    webhooks,
    newSid,
    newCode: () => String(100_000 + ((++made * 7919) % 900_000)),
  })
  const voiceUrl = `${publicUrl}/api/webhooks/twilio/voice`
  const statusUrl = `${publicUrl}/api/webhooks/twilio/status`
  const appStatusUrl = options.appStatus === true ? statusUrl : undefined
  const voiceFallbackUrl = options.fallback === true ? voiceUrl : undefined
  const switchboard = new Switchboard({
    clock,
    webhooks,
    accountSid,
    appSid,
    voiceUrl,
    voiceFallbackUrl,
    appStatusUrl,
    newSid,
    mayShow: number =>
      number === publicNumber ||
      number === eeaNumber ||
      [...callerIds.verified.values()].some(known => known.number === number),
  })
  const dialling = new Dialling()
  const requests: ApiRequest[] = []
  const faults: string[] = []
  const troubles: Trouble[] = []
  const fake: { outage: Trouble | undefined; balance: string } = { outage: undefined, balance: '25.40' }

  const page = (name: string, items: readonly object[]) => ({
    [name]: items,
    page: 0,
    page_size: 50,
    start: 0,
    end: Math.max(0, items.length - 1),
    next_page_uri: null,
    previous_page_uri: null,
  })
  const application: Record<string, string | null> = {
    sid: appSid,
    account_sid: accountSid,
    friendly_name: 'Farline',
    voice_url: voiceUrl,
    voice_method: 'POST',
    voice_fallback_url: voiceFallbackUrl ?? null,
    voice_fallback_method: 'POST',
    status_callback: appStatusUrl ?? null,
    status_callback_method: 'POST',
  }
  const numbers = [publicNumber, eeaNumber].map((number, index) => ({
    sid: hex('PN', String(6 + index)),
    account_sid: accountSid,
    phone_number: number,
    friendly_name: number,
    capabilities: { voice: true, sms: false, mms: false, fax: false },
  }))

  /** @returns the HTTP status and the body of the answer */
  function perform(method: string, path: string, form: URLSearchParams): readonly [number, object | null] {
    const [, resource = '', sid] = /^([A-Za-z]*)(?:\/(\w+))?\.json$/.exec(path) ?? []
    switch (`${method} ${resource}${sid === undefined ? '' : '/:sid'}`) {
      case 'POST Calls/:sid': {
        const leg = switchboard.update(sid ?? '', readParameters(operations.callUpdate, form))
        return [200, switchboard.show(leg)]
      }
      case 'GET Calls/:sid':
        readParameters(operations.callFetch, form)
        return [200, switchboard.show(switchboard.leg(sid ?? ''))]
      case 'GET Calls': {
        const { ParentCallSid: parent, Status: status } = readParameters(operations.callList, form)
        const found = [...switchboard.legs.values()].filter(
          leg => (parent ?? leg.parent) === leg.parent && (status ?? leg.status) === leg.status,
        )
        return [
          200,
          page(
            'calls',
            found.map(leg => switchboard.show(leg)),
          ),
        ]
      }
      case 'POST OutgoingCallerIds':
        return [200, callerIds.validate(readParameters(operations.callerIdValidate, form))]
      case 'GET OutgoingCallerIds':
        return [
          200,
          page('outgoing_caller_ids', callerIds.list(readParameters(operations.callerIdList, form))),
        ]
      case 'DELETE OutgoingCallerIds/:sid':
        readParameters(operations.callerIdDelete, form)
        callerIds.remove(sid ?? '')
        return [204, null]
      case 'GET Applications/:sid':
        readParameters(operations.applicationFetch, form)
        return sid === appSid ? [200, application] : notFound(path)
      case 'GET Balance':
        readParameters(operations.balanceFetch, form)
        return [200, { account_sid: accountSid, balance: fake.balance, currency: 'USD' }]
      case 'GET IncomingPhoneNumbers': {
        const { PhoneNumber: wanted } = readParameters(operations.numberList, form)
        const found = numbers.filter(each => wanted === undefined || each.phone_number === wanted)
        return [200, page('incoming_phone_numbers', found)]
      }
      default:
        return notFound(path)
    }
  }

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://api')
    const { method = 'GET' } = incoming
    const body = await text(incoming)
    const send = (status: number, answer: object | null, headers: Record<string, string> = {}) =>
      outgoing
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(answer === null ? undefined : JSON.stringify(answer))
    const control = options.other?.({ method, path: pathname, body })
    if (control !== undefined) return void send(200, await control)

    const form = method === 'POST' ? new URLSearchParams(body) : searchParams
    const ofAccount = `/2010-04-01/Accounts/${accountSid}`
    const path = pathname.startsWith(`${ofAccount}/`) ? pathname.slice(ofAccount.length + 1) : pathname
    requests.push({ method, path, parameters: Object.fromEntries(form) })
    const trouble = troubles.shift() ?? fake.outage
    const refuse = (error: ApiRejection, headers = {}) => void send(error.status, error.body, headers)
    if (trouble === 'silent') return
    if (trouble === 'cut') return void incoming.socket.destroy()
    if (trouble === 'error') return refuse(new ApiRejection(500, 20500, 'Internal Server Error'))
    if (trouble === 'busy') return refuse(new ApiRejection(503, 20503, 'Service unavailable'))
    if (trouble === 'rate')
      return refuse(new ApiRejection(429, 20429, 'Too Many Requests'), {
        'retry-after': String(retryAfterSeconds),
      })
    if (trouble === 'gateway') return void outgoing.writeHead(502).end('<h1>Bad gateway</h1>')
    try {
      const isAccount = pathname === `${ofAccount}.json`
      const permissions = /^\/v1\/DialingPermissions(\/.*)$/.exec(pathname)?.[1]
      requireAuthority(incoming, isAccount || path === 'Balance.json')
      if (method === 'POST') requireForm(incoming)
      if (isAccount) readParameters(operations.accountFetch, form)
      if (permissions !== undefined && method === 'GET')
        return void send(200, dialling.answer(permissions, form))
      const [status, answer] = isAccount
        ? [200, { sid: accountSid, friendly_name: 'Farline', status: 'active', type: 'Full' }]
        : perform(method, path, form)
      if (trouble === 'lost') return
      send(status, answer)
    } catch (error) {
      if (!(error instanceof ApiRejection)) throw error
      if (error.code === 20001) faults.push(`${method} ${path}: ${error.message}`)
      refuse(error)
    }
  }

  const server = createServer((incoming, outgoing) => {
    void receive(incoming, outgoing).catch((error: unknown) => {
      faults.push(String(error))
      outgoing.writeHead(599).end(String(error))
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return Object.assign(fake, {
    settings: { ...fakeAccount, apiUrl: `http://127.0.0.1:${port}` },
    switchboard,
    callerIds,
    dialling,
    webhooks,
    application,
    requests,
    faults,
    trouble: (...kinds: readonly Trouble[]) => void troubles.push(...kinds),
    close: async () => {
      await webhooks.settled()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/**
 * Basic authentication with the API key, or with the account's own token. A standard key cannot read the account
 * resource. It cannot read the balance here either, because the documentation does not promise it.
 */
function requireAuthority({ headers }: IncomingMessage, isAccount: boolean): void {
  const basic = (name: string, secret: string) =>
    `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
  const { accountSid, authToken, apiKey, apiSecret } = fakeAccount
  const accepted = [basic(accountSid, authToken), ...(isAccount ? [] : [basic(apiKey, apiSecret)])]
  if (!accepted.includes(headers.authorization ?? '')) throw new ApiRejection(401, 20003, 'Authenticate')
}

function requireForm({ headers }: IncomingMessage): void {
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    throw new ApiRejection(400, 20001, 'the body is no form')
}
