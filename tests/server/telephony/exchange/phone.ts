import { setTimeout as sleep } from 'node:timers/promises'
import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import { WebSocket } from 'ws'
import { type BrowserSdp, readBrowserSdp } from '#server/telephony/exchange/browser-sdp.ts'
import { toneLoop } from '#server/telephony/exchange/media/tones.ts'
import { guardTransports } from '#server/telephony/exchange/media/transport-guard.ts'

export interface Frame {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: frames are looked into freely by the tests
  readonly payload: any
}

/** One signalling socket, as the voice client opens it. */
export class Wire {
  readonly socket: WebSocket
  readonly frames: Frame[] = []
  heartbeats = 0
  readonly closed: Promise<{ code: number; reason: string }>

  constructor(
    host: string,
    {
      path = '/exchange/signal',
      origin,
      from,
    }: { path?: string; origin?: string /** As a proxy in front says. */; from?: string } = {},
  ) {
    this.socket = new WebSocket(`ws://${host}${path}`, {
      ...(origin !== undefined && { origin }),
      ...(from !== undefined && { headers: { 'x-forwarded-for': from } }),
    })
    this.closed = new Promise(resolve => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
    this.socket.on('error', () => undefined)
    this.socket.on('message', data => {
      const text = data.toString()
      if (text === '\n') this.heartbeats += 1
      else this.frames.push(JSON.parse(text))
    })
  }

  async open(): Promise<this> {
    await new Promise((resolve, reject) => {
      this.socket.once('open', resolve)
      this.socket.once('error', reject)
    })
    return this
  }

  send(type: string, payload: object): void {
    this.socket.send(JSON.stringify({ type, payload, version: '1.6' }))
  }

  /** The first frame of this type after the first `skip` of them. */
  async frame(type: string, skip = 0): Promise<Frame['payload']> {
    const found = await until(() => this.frames.filter(frame => frame.type === type)[skip], `a ${type} frame`)
    return found.payload
  }

  async listen(token: string): Promise<this> {
    const before = this.frames.filter(frame => frame.type === 'connected').length
    this.send('listen', { token, browserinfo: {}, reconnectTimeout: 0 })
    await this.frame('connected', before)
    return this
  }

  drop(): void {
    this.socket.terminate()
  }
}

const frameMs = 20

/** What a phone speaks, best first. The browser's own numbers for Opus are of its choosing. */
const spoken = {
  PCMU: { mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 },
  opus: {
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    payloadType: 96,
    parameters: 'minptime=10;useinbandfec=1',
  },
} as const
type Spoken = keyof typeof spoken

/** A packet as it arrived. */
export interface HeardPacket {
  readonly payloadType: number
  readonly payload: Buffer
  readonly sequenceNumber: number
  readonly timestamp: number
  readonly marker: boolean
  readonly ssrc: number
}

/** The audio end of a call: what a browser's WebRTC does, with mu-law or numbered packets in and out. */
export class Phone {
  readonly connection: RTCPeerConnection
  readonly heard: Buffer[] = []
  readonly timestamps: number[] = []
  readonly packets: HeardPacket[] = []
  #timer: NodeJS.Timeout | undefined
  /** Packets that it has spoken. Their numbers go on when it says something else, as a browser's do. */
  #spoken = 0

  constructor(speaks: Spoken | readonly Spoken[] = 'PCMU', { tcp = false }: { tcp?: boolean } = {}) {
    const codecs = (typeof speaks === 'string' ? [speaks] : speaks).map(
      codec => new RTCRtpCodecParameters(spoken[codec]),
    )
    this.connection = new RTCPeerConnection({
      iceServers: [],
      iceUseTcp: tcp,
      iceUseIpv4: false,
      iceUseIpv6: false,
      iceAdditionalHostAddresses: ['127.0.0.1'],
      iceInterfaceAddresses: { udp4: '127.0.0.1' },
      codecs: { audio: codecs },
    })
    const transceiver = this.connection.addTransceiver('audio', { direction: 'sendrecv' })
    transceiver.onTrack.subscribe(track => {
      track.onReceiveRtp.subscribe(packet => {
        this.heard.push(packet.payload)
        this.timestamps.push(packet.header.timestamp)
        const { payloadType, sequenceNumber, timestamp, marker, ssrc } = packet.header
        this.packets.push({ payload: packet.payload, payloadType, sequenceNumber, timestamp, marker, ssrc })
      })
    })
  }

  async offer(options: { iceRestart?: boolean } = {}): Promise<string> {
    await this.connection.setLocalDescription(await this.connection.createOffer(options))
    // A browser ignores a repeated DTLS message; werift, which plays the browser here, does not.
    guardTransports(this.connection)
    return this.connection.localDescription?.sdp ?? ''
  }

  /** What a far side gets of the offer. */
  async checkedOffer(options: { iceRestart?: boolean } = {}): Promise<BrowserSdp> {
    const sdp = readBrowserSdp(await this.offer(options))
    if (sdp === undefined) throw new Error('the offer of the test is not taken')
    return sdp
  }

  async accept(sdp: string): Promise<void> {
    await this.connection.setRemoteDescription({ type: 'answer', sdp })
  }

  /** Picks up: the answer to an offer of the exchange. */
  async reply(offer: string): Promise<string> {
    await this.connection.setRemoteDescription({ type: 'offer', sdp: offer })
    // A browser leaves the client's part to an offer that claims it (RFC 5763, section 5); werift does not.
    for (const transport of this.connection.dtlsTransports) transport.role = 'server'
    await this.connection.setLocalDescription(await this.connection.createAnswer())
    guardTransports(this.connection)
    return this.connection.localDescription?.sdp ?? ''
  }

  /**
   * Speaks Opus from now on: packets of which each begins with `voice` and its own number. Every fifth bears a
   * marker, and every tenth number is left out, as if it had been lost on the way.
   */
  speakOpus(voice: number): void {
    clearInterval(this.#timer)
    const [sender] = this.connection.getSenders()
    let count = 0
    this.#timer = setInterval(() => {
      count += 1
      if (count % 10 === 0) return
      const payload = opusPacket(voice, count)
      const numbers = { sequenceNumber: 65_500 + count, timestamp: count * 960 }
      const header = new RtpHeader({
        payloadType: sender?.codec?.payloadType ?? 0,
        sequenceNumber: numbers.sequenceNumber & 0xffff,
        timestamp: numbers.timestamp,
        marker: count % 5 === 0,
      })
      sender?.sendRtp(new RtpPacket(header, payload)).catch(() => undefined)
    }, frameMs)
  }

  /** What a browser does by itself when its ICE restart was answered, and werift does not. */
  restartChecks(): void {
    for (const transport of this.connection.iceTransports) transport.start().catch(() => undefined)
  }

  /** Speaks from now on: a tone at this level, silence, or these mu-law samples over and over. */
  speak(sound: { hz: number; dbm0: number } | 'silence' | Buffer): void {
    clearInterval(this.#timer)
    const loop =
      sound === 'silence'
        ? Buffer.alloc(8000, 0xff)
        : Buffer.isBuffer(sound)
          ? sound
          : toneLoop({ frequenciesHz: [sound.hz], dbm0: sound.dbm0 })
    const [sender] = this.connection.getSenders()
    let count = 0
    const startedAt = performance.now()
    this.#timer = setInterval(() => {
      while (count < (performance.now() - startedAt) / frameMs) {
        const payload = Buffer.alloc(160)
        for (let index = 0; index < 160; index++)
          payload[index] = loop[(count * 160 + index) % loop.length] ?? 0
        count += 1
        this.#spoken += 1
        const header = new RtpHeader({
          payloadType: 0,
          sequenceNumber: this.#spoken & 0xffff,
          timestamp: this.#spoken * 160,
        })
        sender?.sendRtp(new RtpPacket(header, payload)).catch(() => undefined)
      }
    }, 10)
  }

  /** A crashed tab: it sends nothing more, not even a goodbye. */
  fallSilent(): void {
    clearInterval(this.#timer)
  }

  async close(): Promise<void> {
    this.fallSilent()
    await this.connection.close()
  }
}

/** Data that no decoder would accept: a relay must not look inside. */
function opusPacket(voice: number, count: number): Buffer {
  const payload = Buffer.alloc(40 + (count % 7), voice)
  payload.writeUInt32BE(count, 1)
  return payload
}

export interface PlacedCall {
  readonly wire: Wire
  readonly phone: Phone
  readonly temporaryId: string
  /** The id that the exchange gave. */
  readonly callId: string
}

/** Dials, and receives the exchange's audio as soon as it rings. */
export async function dial(wire: Wire, to: string, phone = new Phone()): Promise<PlacedCall> {
  const temporaryId = `TJS${Math.random().toString(36).slice(2)}`
  const rung = wire.frames.filter(frame => frame.type === 'ringing').length
  await invite(wire, to, phone, temporaryId)
  const { callsid: callId, sdp } = await wire.frame('ringing', rung)
  await phone.accept(sdp)
  phone.speak('silence')
  return { wire, phone, temporaryId, callId }
}

export async function invite(
  wire: Wire,
  to: string,
  phone: Phone,
  temporaryId: string,
  custom: Readonly<Record<string, string>> = {},
): Promise<void> {
  const params = new URLSearchParams({ To: to, ...custom }).toString()
  wire.send('invite', { callsid: temporaryId, sdp: await phone.offer(), twilio: { params } })
}

/** Dials a number that answers, and waits until it has. */
export async function call(wire: Wire, to: string): Promise<PlacedCall> {
  const answers = wire.frames.filter(frame => frame.type === 'answer').length
  const placed = await dial(wire, to)
  await wire.frame('answer', answers)
  return placed
}

/** Looks every 5 ms until there is something. */
export async function until<Value>(
  look: () => Value | undefined | false,
  what: string,
  timeoutMs = 5000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = look()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(5)
  }
}
