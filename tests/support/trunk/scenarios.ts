/**
 * What a carrier does with a call. `tryingMs`: how long it looks for the telephone first. `ringMs`: how long it rings before.
 * `early`: it sends its own sound while it rings.
 */
export type Behaviour =
  | {
      readonly kind: 'answers'
      readonly tryingMs?: number
      readonly ringMs?: number
      readonly early?: boolean
      readonly hangsUpAfterMs?: number
      /** Port of 127.0.0.1 for the sound; default: SIPp echoes it. */
      readonly mediaPort?: number
    }
  | { readonly kind: 'rejects'; readonly status: string; readonly ringMs?: number }
  | { readonly kind: 'rings' }
  /** Takes the call and says nothing. */
  | { readonly kind: 'silent' }
  /** Takes the call and says nothing more. */
  | { readonly kind: 'stays_silent' }
  /** Answers, and then never says anything to the end of the call. */
  | { readonly kind: 'ignores_end' }
  /** Answers, moves its sound, puts the call on hold, refreshes it both ways, and waits for its end. */
  | { readonly kind: 'renegotiates' }
  | { readonly kind: 'asks_password'; readonly user: string; readonly password: string }

const recordRoute = '[last_Record-Route:]'
const contact = 'Contact: <sip:carrier@CONTACT>'

const sdpOf = (port: string | number = '[media_port]', direction = 'sendrecv') => `v=0
o=- 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio ${port} RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15
a=${direction}`

const sdp = sdpOf()

interface Answer {
  readonly tag?: boolean
  readonly headers?: readonly string[]
  readonly body?: string
  /** Of another request than the last. */
  readonly sequence?: string
}

/** Lines that begin a message of SIPp's have to start in the first column. */
function respond(
  status: string,
  { tag = true, headers = [recordRoute, contact], body, sequence }: Answer = {},
): string {
  const final = !/^1/.test(status)
  const type = body === undefined ? [] : ['Content-Type: application/sdp']
  const lines = [
    `SIP/2.0 ${status}`,
    '[last_Via:]',
    '[last_From:]',
    `[last_To:]${tag ? ';tag=[pid]T[call_number]' : ''}`,
    '[last_Call-ID:]',
    sequence === undefined ? '[last_CSeq:]' : `CSeq: ${sequence}`,
    ...headers,
    ...type,
    `Content-Length: ${body === undefined ? 0 : '[len]'}`,
    '',
    body ?? '',
  ]
  return `<send${final && tag ? ' retrans="500"' : ''}><![CDATA[\n${lines.join('\n')}\n]]></send>`
}

const pause = (ms: number) => `<pause milliseconds="${ms}"/>`
const receive = (method: string) => `<recv request="${method}"/>`
const confirmEnd = respond('200 OK', { tag: false, headers: [] })

const receiveAck = `<recv request="ACK"><action>
<ereg regexp=".*" search_in="hdr" header="To:" assign_to="us"/>
<ereg regexp=".*" search_in="hdr" header="From:" assign_to="them"/>
</action></recv>`

interface Request {
  readonly headers?: readonly string[]
  readonly body?: string
  /** Attributes of SIPp's for what it sends. */
  readonly send?: string
}

/** A request of the carrier's within the call. */
function request(method: string, sequence: number, { headers = [], body, send = '' }: Request = {}): string {
  const type = body === undefined ? [] : ['Content-Type: application/sdp']
  const lines = [
    `${method} [next_url] SIP/2.0`,
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    'From: [$us]',
    'To: [$them]',
    '[last_Call-ID:]',
    `CSeq: ${sequence} ${method}`,
    '[routes]',
    'Max-Forwards: 70',
    ...headers,
    ...type,
    `Content-Length: ${body === undefined ? 0 : '[len]'}`,
    '',
    body ?? '',
  ]
  return `<send${method === 'ACK' ? '' : ' retrans="500"'} ${send}><![CDATA[\n${lines.join('\n')}\n]]></send>`
}

const receiveOk = (attributes = '') =>
  `<recv response="100" optional="true" ${attributes}/><recv response="200" ${attributes}/>`
const hangUp = `${request('BYE', 2)}${receiveOk()}`

/**
 * Without the names SIPp takes any 200 for the answer to its last request. Where the machine is busy, our server repeats its
 * answer to an earlier one.
 */
const named = (method: string, sequence: number, details: Request) => [
  request(method, sequence, { ...details, send: `start_txn="request${sequence}"` }),
  receiveOk(`response_txn="request${sequence}"`),
]

const reinvite = (sequence: number, { headers = [], ...details }: Request) => [
  ...named('INVITE', sequence, { headers: [contact, ...headers], ...details }),
  request('ACK', sequence, { send: `ack_txn="request${sequence}"` }),
]

function stepsOf(behaviour: Behaviour): readonly string[] {
  switch (behaviour.kind) {
    case 'answers': {
      const { tryingMs, ringMs = 50, early = false, hangsUpAfterMs, mediaPort = '[media_port]' } = behaviour
      const sdp = sdpOf(mediaPort)
      return [
        ...(tryingMs === undefined ? [] : [respond('100 Trying', { tag: false }), pause(tryingMs)]),
        early ? respond('183 Session Progress', { body: sdp }) : respond('180 Ringing'),
        pause(ringMs),
        respond('200 OK', { body: sdp }),
        hangsUpAfterMs === undefined ? receive('ACK') : receiveAck,
        ...(hangsUpAfterMs === undefined ? [receive('BYE'), confirmEnd] : [pause(hangsUpAfterMs), hangUp]),
      ]
    }
    case 'rejects': {
      const { ringMs, status } = behaviour
      const ringing = ringMs === undefined ? [] : [respond('180 Ringing'), pause(ringMs)]
      return [...ringing, respond(status), receive('ACK')]
    }
    case 'rings':
    case 'stays_silent':
      return [
        behaviour.kind === 'rings' ? respond('180 Ringing') : respond('100 Trying', { tag: false }),
        receive('CANCEL'),
        confirmEnd,
        respond('487 Request Terminated', { sequence: '1 INVITE' }),
        receive('ACK'),
      ]
    case 'silent':
      return [pause(60_000)]
    case 'ignores_end':
      return [respond('200 OK', { body: sdp }), receive('ACK'), receive('BYE'), pause(60_000)]
    case 'renegotiates': {
      const timer = ['Supported: timer', 'Session-Expires: 1800;refresher=uac']
      return [
        respond('200 OK', { body: sdp }),
        receiveAck,
        ...reinvite(2, { body: sdpOf('[media_port+2]') }),
        ...reinvite(3, { body: sdpOf('[media_port+2]', 'sendonly') }),
        ...reinvite(4, { body: sdpOf('[media_port+2]'), headers: timer }),
        ...named('UPDATE', 5, { headers: [contact, ...timer] }),
        receive('BYE'),
        confirmEnd,
      ]
    }
    case 'asks_password':
      return [
        respond('401 Unauthorized', {
          headers: ['WWW-Authenticate: Digest realm="carrier.example", nonce="47364c23432d2e131a5fb210812c"'],
        }),
        receive('ACK'),
        `<recv request="INVITE" auth="true" rrs="true"><action><verifyauth assign_to="right" username="${behaviour.user}" password="${behaviour.password}"/></action></recv>`,
        `<nop condexec="right" condexec_inverse="true"><action><error message="wrong password"/></action></nop>`,
        respond('200 OK', { body: sdp }),
        receive('ACK'),
        receive('BYE'),
        confirmEnd,
      ]
    default:
      return behaviour satisfies never
  }
}

/** @param reachedAt host, port and transport that the carrier gives for further requests */
export function scenarioOf(behaviour: Behaviour, reachedAt: string): string {
  const steps = ['<recv request="INVITE" rrs="true"/>', ...stepsOf(behaviour)]
  return `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="${behaviour.kind}">\n${steps.join('\n').replaceAll('CONTACT', reachedAt)}\n</scenario>\n`
}
