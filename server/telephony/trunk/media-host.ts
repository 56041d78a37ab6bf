import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { BrowserSdp } from '../exchange/browser-sdp.ts'

/** What carriers are offered besides the codecs. `srtp`: SDES keys instead of plain RTP. */
export interface CarrierMedia {
  readonly codecs: readonly ('PCMU' | 'PCMA')[]
  readonly srtp: boolean
}

export interface MediaCounts {
  /** RTP packets from this side so far. */
  readonly fromBrowser: number
  readonly fromCarrier: number
}

/** `unavailable`: nobody answered, or it has no room, so another media host may do it. `refused`: it answered that it will not. */
export class MediaHostError extends Error {
  override readonly name = 'MediaHostError'
  readonly kind: 'unavailable' | 'refused'

  constructor(kind: 'unavailable' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

const requestTimeoutMs = 2000
/** RFC 4733 events of this length are heard by every menu. */
const digitMs = 100
const digitPauseMs = 100

/** Of those that rtpengine offers. With all of them a request is too long for a UDP packet, and some do not encrypt. */
const unwantedSuites = [
  ...['AEAD_AES_128_GCM', 'AES_256_CM_HMAC_SHA1_32', 'AES_192_CM_HMAC_SHA1_80', 'AES_192_CM_HMAC_SHA1_32'],
  ...['AES_CM_128_HMAC_SHA1_32', 'F8_128_HMAC_SHA1_80', 'F8_128_HMAC_SHA1_32'],
  ...['NULL_HMAC_SHA1_80', 'NULL_HMAC_SHA1_32'],
]

const browserTag = 'browser'
const carrierTag = 'carrier'
const common = {
  replace: ['origin', 'session-connection'],
  flags: ['inject DTMF', 'full rtcp attribute'],
}

const reply = z.object({ result: z.string(), 'error-reason': z.optional(z.string()) })
const sdpReply = z.object({ sdp: z.string() })
const queryReply = z.object({
  tags: z.record(
    z.string(),
    z.object({
      medias: z.array(
        z.object({
          streams: z.array(
            z.object({ flags: z.array(z.string()), stats: z.object({ packets: z.number() }) }),
          ),
        }),
      ),
    }),
  ),
})

/**
 * rtpengine, by its NG protocol over HTTP. The sound of a call passes there between browser and carrier; it never comes here.
 * Every method @throws MediaHostError when rtpengine cannot be reached, or does not do it.
 */
export class MediaHost {
  readonly #url: string

  /** @param url `http://10.0.0.5:22280`, rtpengine's `listen-http` */
  constructor(url: string) {
    this.#url = `${url}/ng`
  }

  /** @returns the carrier's offer for a browser's, or for its renewed one */
  async offer(id: string, browserOffer: BrowserSdp, { codecs, srtp }: CarrierMedia): Promise<string> {
    const { sdp } = z.parse(
      sdpReply,
      await this.#ask('offer', id, {
        ...common,
        'from-tag': browserTag,
        sdp: withCommonEvents(browserOffer),
        ICE: 'remove',
        DTLS: 'off',
        'rtcp-mux': ['demux'],
        'transport-protocol': srtp ? 'RTP/SAVP' : 'RTP/AVP',
        SDES: unwantedSuites.map(suite => `no-${suite}`),
        codec: { mask: ['all'], offer: codecs, transcode: [...codecs, 'telephone-event'] },
      }),
    )
    return withoutBrowserLines(sdp)
  }

  /** @returns the browser's answer for the carrier's. May be repeated with another answer: the browser's stays the same. */
  async answer(id: string, carrierAnswer: string): Promise<string> {
    const { sdp } = z.parse(
      sdpReply,
      await this.#ask('answer', id, {
        ...common,
        'from-tag': browserTag,
        'to-tag': carrierTag,
        sdp: carrierAnswer,
        ICE: 'force',
        'rtcp-mux': ['require'],
      }),
    )
    // Browsers press keys by signalling, and know these under another payload type.
    return withoutEvents(sdp)
  }

  /** Plays a WAV file to the browser, over and over, until `stopPlaying`. */
  async playToBrowser(id: string, wav: Buffer): Promise<void> {
    const details = {
      command: 'play media',
      'call-id': id,
      'from-tag': browserTag,
      blob: wav,
      'repeat-times': 100,
    }
    // JSON has no octets.
    const answer = await this.#post(bencode(details))
    if (!answer.includes('6:result2:ok')) throw new MediaHostError('refused', `play media: ${answer}`)
  }

  async stopPlaying(id: string): Promise<void> {
    await this.#ask('stop media', id, { 'from-tag': browserTag })
  }

  /** Sends a digit to the carrier as an RFC 4733 event, after those that were sent before. */
  async sendDigit(id: string, digit: string): Promise<void> {
    await this.#ask('play DTMF', id, {
      'from-tag': browserTag,
      code: digit,
      duration: digitMs,
      pause: digitPauseMs,
    })
  }

  /** @returns undefined when it does not know the call */
  async counts(id: string): Promise<MediaCounts | undefined> {
    const answer = z.safeParse(queryReply, await this.#ask('query', id, {}).catch(onlyUnknown))
    if (!answer.success) return undefined
    const packetsOf = (tag: string) =>
      (answer.data.tags[tag]?.medias ?? [])
        .flatMap(({ streams }) => streams)
        .filter(({ flags }) => flags.includes('RTP'))
        .reduce((sum, { stats }) => sum + stats.packets, 0)
    return { fromBrowser: packetsOf(browserTag), fromCarrier: packetsOf(carrierTag) }
  }

  /** Frees the call's ports. Ignores an unknown call. */
  async close(id: string): Promise<void> {
    await this.#ask('delete', id, { 'from-tag': browserTag, 'delete-delay': 0 }).catch(onlyUnknown)
  }

  /** @returns whether it answers */
  async isReachable(): Promise<boolean> {
    return await this.#send({ command: 'ping' }).then(
      ({ result }) => result === 'pong',
      () => false,
    )
  }

  async #ask(command: string, id: string, details: object): Promise<unknown> {
    const answer = await this.#send({ command, 'call-id': id, ...details })
    if (answer.result === 'ok') return answer
    const reason = answer['error-reason'] ?? answer.result
    const isFull = answer.result === 'load limit' || /ran out of ports/i.test(reason)
    throw new MediaHostError(isFull ? 'unavailable' : 'refused', `${command}: ${reason}`)
  }

  async #send(message: object): Promise<z.infer<typeof reply>> {
    return z.parse(
      z.looseObject(reply.shape),
      JSON.parse(await this.#post(Buffer.from(JSON.stringify(message)))),
    )
  }

  async #post(message: Buffer): Promise<string> {
    // A cookie that was used before brings the answer of then.
    const cookie = randomUUID()
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-rtpengine-ng' },
        body: Buffer.concat([Buffer.from(`${cookie} `), message]),
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      return (await response.text()).slice(cookie.length + 1)
    } catch (error) {
      throw new MediaHostError('unavailable', 'rtpengine cannot be reached', { cause: error })
    }
  }
}

/** NG's other notation, which can hold octets. */
function bencode(dictionary: Readonly<Record<string, string | number | Buffer>>): Buffer {
  const text = (octets: Buffer) => [Buffer.from(`${octets.length}:`), octets]
  const parts = Object.entries(dictionary).flatMap(([key, value]) => [
    ...text(Buffer.from(key)),
    ...(typeof value === 'number' ? [Buffer.from(`i${value}e`)] : text(Buffer.from(value))),
  ])
  return Buffer.concat([Buffer.from('d'), ...parts, Buffer.from('e')])
}

function onlyUnknown(error: unknown): undefined {
  if (error instanceof MediaHostError && /unknown call-id/i.test(error.message)) return undefined
  throw error
}

/** The payload type of keys that carriers know; many answer with it whatever they are offered, and rtpengine then sends none. */
const eventType = '101'
const eventLine = /^a=rtpmap:(\d+) telephone-event\//

/** Offers keys at 8000 Hz under the carriers' payload type, whatever the browser calls it. */
function withCommonEvents(browserOffer: string): string {
  const isTaken = new RegExp(`^a=rtpmap:${eventType} `, 'm').test(browserOffer)
  if (isTaken) return browserOffer
  const lines = withoutEvents(browserOffer)
    .trimEnd()
    .split('\r\n')
    .map(line => (isAudio(line) ? `${line} ${eventType}` : line))
  return [...lines, `a=rtpmap:${eventType} telephone-event/8000`, ''].join('\r\n')
}

function withoutEvents(sdp: string): string {
  const lines = sdp.split('\r\n')
  const types = lines.flatMap(line => eventLine.exec(line)?.[1] ?? [])
  const [kind = '', port = '', profile = '', ...codecs] = (lines.find(isAudio) ?? '').split(' ')
  const audio = [kind, port, profile, ...codecs.filter(type => !types.includes(type))].join(' ')
  return lines
    .filter(
      line => !types.some(type => line.startsWith(`a=rtpmap:${type} `) || line.startsWith(`a=fmtp:${type} `)),
    )
    .map(line => (isAudio(line) ? audio : line))
    .join('\r\n')
}

function isAudio(line: string): boolean {
  return line.startsWith('m=audio ')
}

/** Carriers expect the SDP of a telephone. What rtpengine passes on besides belongs to WebRTC. */
const telephoneLines =
  /^(?:[vosctbm]=|a=(?:(?:rtpmap|fmtp|ptime|maxptime|rtcp|crypto):|(?:sendrecv|sendonly|recvonly|inactive)$))/

function withoutBrowserLines(sdp: string): string {
  return `${sdp
    .split(/\r?\n/)
    .filter(line => telephoneLines.test(line))
    .join('\r\n')}\r\n`
}
