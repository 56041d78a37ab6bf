import { randomInt } from 'node:crypto'
import { isIPv6 } from 'node:net'
import {
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCRtpTransceiver,
  type RTCSessionDescription,
  RtpHeader,
  RtpPacket,
} from 'werift'
import { frameOctets } from './frames.ts'
import { advertise, type MediaAddress, requireSockets } from './media-address.ts'

/** What a line can speak. Telephone-event is left out on purpose: digits travel as signalling. */
export type Codec = 'pcmu' | 'opus'

const codecParameters: Record<Codec, () => RTCRtpCodecParameters> = {
  pcmu: () =>
    new RTCRtpCodecParameters({ mimeType: 'audio/PCMU', clockRate: 8000, channels: 1, payloadType: 0 }),
  opus: () =>
    new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 }),
}

export interface MediaLegOptions {
  readonly address: MediaAddress
  readonly codecs: readonly Codec[]
  /** Packets can flow: ICE and DTLS stand. Called once. */
  readonly onConnected: () => void
  /** The payload of each packet received. */
  readonly onAudio: (payload: Buffer) => void
}

/** An offer that we cannot talk to: not one audio stream, or no codec of ours in it. */
export class UnusableOfferError extends Error {
  override readonly name = 'UnusableOfferError'
}

const gatheringTimeoutMs = 3000

/**
 * One browser's audio: the answering end of a WebRTC connection. It never looks for the browser
 * (ICE-lite): the browser finds us at the one address that the answer names.
 */
export class MediaLeg {
  readonly #address: MediaAddress
  readonly #connection: RTCPeerConnection
  readonly #transceiver: RTCRtpTransceiver
  readonly #timestampBase = randomInt(2 ** 31)
  #sequence = randomInt(2 ** 15)
  #negotiation: Promise<unknown> = Promise.resolve()
  #state: 'opening' | 'connected' | 'closed' = 'opening'

  constructor({ address, codecs, onConnected, onAudio }: MediaLegOptions) {
    this.#address = address
    const { bound, ports } = address
    this.#connection = new RTCPeerConnection({
      iceServers: [],
      iceLite: true,
      // For networks that close UDP: a listener beside it, which the browser dials (RFC 6544).
      iceUseTcp: true,
      // No address is gathered by itself. The one that we name is also the one that UDP is bound to:
      // a socket on all addresses may answer from another one, and then ICE never completes.
      iceUseIpv4: false,
      iceUseIpv6: false,
      iceAdditionalHostAddresses: [bound],
      iceInterfaceAddresses: isIPv6(bound) ? { udp6: bound } : { udp4: bound },
      icePortRange: ports && [...ports],
      bundlePolicy: 'max-bundle',
      codecs: { audio: codecs.map(codec => codecParameters[codec]()) },
    })
    this.#transceiver = this.#connection.addTransceiver('audio', { direction: 'sendrecv' })
    this.#connection.connectionStateChange.subscribe(state => {
      if (state !== 'connected' || this.#state !== 'opening') return
      this.#state = 'connected'
      onConnected()
    })
    this.#transceiver.onTrack.subscribe(track => {
      track.onReceiveRtp.subscribe(packet => onAudio(packet.payload))
    })
  }

  /**
   * The SDP answer to an offer, the first or a later one (an ICE restart), with every candidate in it.
   * Offers are taken one at a time: the client repeats itself when an answer is slow.
   * @throws UnusableOfferError when there is nothing in it that we could talk to, NoSocketError.
   */
  answer(offer: string): Promise<string> {
    const answered = this.#negotiation.then(() => this.#negotiate(offer))
    this.#negotiation = answered.catch(() => undefined)
    return answered
  }

  /**
   * Sends 20 ms of mu-law. `frame` is the ticker's count of frames, from which the timestamp is made.
   * Before the connection stands nothing is sent.
   */
  send(payload: Buffer, frame: number): void {
    if (this.#state !== 'connected') return
    this.#sequence = (this.#sequence + 1) & 0xffff
    const header = new RtpHeader({
      payloadType: 0,
      sequenceNumber: this.#sequence,
      timestamp: (this.#timestampBase + frame * frameOctets) >>> 0,
    })
    // A packet that cannot leave is a lost packet, and loss is an ordinary thing on a network.
    this.#transceiver.sender.sendRtp(new RtpPacket(header, payload)).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    await this.#connection.close()
  }

  async #negotiate(offer: string): Promise<string> {
    if (this.#state === 'closed') throw new UnusableOfferError('the call is over')
    const connection = this.#connection
    const generation = connection.iceGeneration
    await connection.setRemoteDescription({ type: 'offer', sdp: withoutCandidates(oneAudioStream(offer)) })
    if (this.#transceiver.codecs.length === 0) throw new UnusableOfferError('no codec in common')
    const description = await connection.createAnswer()
    await gatherOneAtATime(() => this.#gather(description))
    // werift 0.25.2 does not restart the checks itself when it answers an ICE restart: DTLS is up, so
    // its connect() returns early, and the audio stays one-way for good. The checks need our answer,
    // so nobody waits for them here; if they fail the caller falls silent, which ends the call in time.
    if (this.#state === 'connected' && connection.iceGeneration > generation) {
      for (const transport of connection.iceTransports) transport.start().catch(() => undefined)
    }
    const answer = connection.localDescription?.sdp
    if (answer === undefined) throw new UnusableOfferError('no answer could be made')
    return advertise(answer, this.#address)
  }

  async #gather(description: RTCSessionDescription): Promise<void> {
    const connection = this.#connection
    if (connection.iceGatheringState !== 'complete') await requireSockets(this.#address)
    await connection.setLocalDescription(description)
    if (connection.iceGatheringState === 'complete') return
    await connection.iceGatheringStateChange.watch(state => state === 'complete', gatheringTimeoutMs)
  }
}

let gathering: Promise<unknown> = Promise.resolve()

/** In turn over all calls: what was found free must still be free when it is taken. */
function gatherOneAtATime(gather: () => Promise<void>): Promise<void> {
  const done = gathering.then(gather)
  gathering = done.catch(() => undefined)
  return done
}

function oneAudioStream(offer: string): string {
  const streams = offer.match(/^m=.*$/gm) ?? []
  if (streams.length !== 1 || !streams[0]?.startsWith('m=audio ')) {
    throw new UnusableOfferError('not exactly one audio stream')
  }
  return offer
}

/** We learn the browser's address from its own checks; names and addresses in its offer are not for us. */
function withoutCandidates(offer: string): string {
  return offer.replace(/^a=candidate:.*\r?\n/gm, '')
}
