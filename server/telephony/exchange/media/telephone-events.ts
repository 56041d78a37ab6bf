import { RTCRtpCodecParameters, type RtpPacket } from 'werift'
import { type Digit, isDigit } from './clips.ts'

const payloadType = 101
/** In the order of their event numbers (RFC 4733, section 3.2). */
const keys = '0123456789*#'

/** Octets and flag of the payload (RFC 4733, section 2.3). */
const payloadOctets = 4
const endBit = 0x80

interface KeyEvent {
  readonly timestamp: number
  readonly code: number
  readonly isOver: boolean
  /** Timestamp units since its beginning, or since that of its segment (RFC 4733, section 2.5.1.3). */
  readonly duration: number
}

/** Keys as RTP packets beside the audio (RFC 4733). Browsers press keys by signalling; a media host passes these on. */
export class TelephoneEvents {
  readonly #onKey: (digit: Digit) => void
  #last: KeyEvent | undefined

  constructor(onKey: (digit: Digit) => void) {
    this.#onKey = onKey
  }

  get codec(): RTCRtpCodecParameters {
    return new RTCRtpCodecParameters({
      mimeType: 'audio/telephone-event',
      clockRate: 8000,
      channels: 1,
      payloadType,
      parameters: '0-15',
    })
  }

  /** Reports each key once. @returns false for a packet that is no event */
  receive({ header, payload }: RtpPacket): boolean {
    if (header.payloadType !== payloadType) return false
    if (payload.length < payloadOctets) return true
    const event = {
      ...{ timestamp: header.timestamp, code: payload.readUInt8(0) },
      ...{ isOver: (payload.readUInt8(1) & endBit) !== 0, duration: payload.readUInt16BE(2) },
    }
    const isNew = this.#last === undefined || !isSameKey(this.#last, event)
    this.#last = event
    const key = keys[event.code]
    if (isNew && key !== undefined && isDigit(key)) this.#onKey(key)
    return true
  }
}

/**
 * All packets of a key have the timestamp of its beginning. A key held for longer than its duration can say continues in a new
 * segment, with the timestamp at which the last one ends.
 */
function isSameKey(last: KeyEvent, event: KeyEvent): boolean {
  const later = (event.timestamp - last.timestamp) >>> 0
  return later === 0 || (event.code === last.code && !last.isOver && later <= last.duration)
}
