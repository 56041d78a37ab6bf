import { RTCRtpCodecParameters, type RtpPacket } from 'werift'
import { type Digit, isDigit } from './clips.ts'

const payloadType = 101
/** In the order of their event numbers (RFC 4733, section 3.2). */
const keys = '0123456789*#'

/** Keys as RTP packets beside the audio (RFC 4733). Browsers press keys by signalling; a media host passes these on. */
export class TelephoneEvents {
  readonly #onKey: (digit: Digit) => void
  #lastTimestamp: number | undefined

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
    // All packets of one event have the timestamp of its beginning.
    if (header.timestamp === this.#lastTimestamp) return true
    this.#lastTimestamp = header.timestamp
    const key = keys[payload[0] ?? keys.length]
    if (key !== undefined && isDigit(key)) this.#onKey(key)
    return true
  }
}
