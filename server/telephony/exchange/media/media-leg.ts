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
import { type AudioPacket, type Codec, clockRateHz } from './audio-packet.ts'
import { advertise, type MediaAddress, requireSockets } from './media-address.ts'
import { OutgoingStream, type PacketNumbers } from './outgoing-stream.ts'
import { boundTcp } from './tcp-bounds.ts'

const codecParameters: Record<Codec, () => RTCRtpCodecParameters> = {
  pcmu: () =>
    new RTCRtpCodecParameters({
      mimeType: 'audio/PCMU',
      clockRate: clockRateHz.pcmu,
      channels: 1,
      payloadType: 0,
    }),
  opus: () =>
    new RTCRtpCodecParameters({
      mimeType: 'audio/opus',
      clockRate: clockRateHz.opus,
      channels: 2,
      payloadType: 111,
    }),
}

export interface MediaLegOptions {
  readonly address: MediaAddress
  readonly codecs: readonly Codec[]
  /** Packets can flow: ICE and DTLS stand. Called once. */
  readonly onConnected: () => void
  /** Each packet received in a codec that was agreed on. */
  readonly onAudio: (packet: AudioPacket) => void
}

/** An offer or an answer that we cannot talk to: not one audio stream, or no codec of ours in it. */
export class UnusableOfferError extends Error {
  override readonly name = 'UnusableOfferError'
}

const gatheringTimeoutMs = 3000

/**
 * One browser's audio: our end of a WebRTC connection, which answers a caller and makes the offer to a
 * handset. It never looks for the browser (ICE-lite): the browser finds us at the one address that we name.
 */
export class MediaLeg {
  readonly #address: MediaAddress
  readonly #connection: RTCPeerConnection
  readonly #transceiver: RTCRtpTransceiver
  readonly #outgoing = new OutgoingStream({
    sequenceNumber: randomInt(2 ** 15),
    timestamp: randomInt(2 ** 31),
  })
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
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        const codec = this.codecs.find(one => this.#parameters(one)?.payloadType === header.payloadType)
        if (codec === undefined) return
        const { sequenceNumber, timestamp, marker } = header
        onAudio({ codec, payload, sequenceNumber, timestamp, marker })
      })
    })
  }

  /** What both ends speak, ours best first; empty before they have agreed. */
  get codecs(): readonly Codec[] {
    return (['opus', 'pcmu'] as const).filter(codec => this.#parameters(codec) !== undefined)
  }

  /**
   * Our SDP offer, with every candidate in it. For a connection that has not been negotiated.
   * @throws NoSocketError.
   */
  offer(): Promise<string> {
    return this.#inTurn(async () => await this.#describe(await this.#connection.createOffer()))
  }

  /**
   * Takes the answer to our offer.
   * @throws UnusableOfferError when no codec of ours is in it.
   */
  accept(answer: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === 'closed') throw new UnusableOfferError('the call is over')
      const sdp = withoutCandidates(oneAudioStream(answer))
      await this.#connection.setRemoteDescription({ type: 'answer', sdp })
      if (this.codecs.length === 0) throw new UnusableOfferError('no codec in common')
    })
  }

  /**
   * The SDP answer to an offer, the first or a later one (an ICE restart), with every candidate in it.
   * Offers are taken one at a time: the client repeats itself when an answer is slow.
   * @throws UnusableOfferError when there is nothing in it that we could talk to, NoSocketError.
   */
  answer(offer: string): Promise<string> {
    return this.#inTurn(() => this.#negotiate(offer))
  }

  /**
   * Sends 20 ms of mu-law. `frame` is the ticker's count of frames, from which the timestamp is made.
   * @returns false when nothing was sent: the connection does not stand, or mu-law was not agreed on
   */
  send(payload: Buffer, frame: number): boolean {
    const parameters = this.#parameters('pcmu')
    if (this.#state !== 'connected' || parameters === undefined) return false
    this.#transmit(parameters, this.#outgoing.own(frame), payload)
    return true
  }

  /**
   * Passes a packet on, its payload untouched.
   * @returns false when nothing was sent: no connection, another codec, or a packet that came too late
   */
  relay(packet: AudioPacket, frame: number): boolean {
    const parameters = this.#parameters(packet.codec)
    if (this.#state !== 'connected' || parameters === undefined) return false
    const numbers = this.#outgoing.relayed(packet, frame)
    if (numbers === undefined) return false
    this.#transmit(parameters, numbers, packet.payload)
    return true
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    await this.#connection.close()
  }

  #parameters(codec: Codec): RTCRtpCodecParameters | undefined {
    if (this.#connection.remoteDescription === undefined) return undefined
    const mimeType = codecParameters[codec]().mimeType.toLowerCase()
    return this.#transceiver.codecs.find(one => one.mimeType.toLowerCase() === mimeType)
  }

  #transmit(parameters: RTCRtpCodecParameters, numbers: PacketNumbers, payload: Buffer): void {
    const { sender } = this.#transceiver
    // werift stamps every packet with the payload type of the sender's codec, before it first yields.
    sender.codec = parameters
    const header = new RtpHeader({ payloadType: parameters.payloadType, ...numbers })
    // A packet that cannot leave is a lost packet, and loss is an ordinary thing on a network.
    sender.sendRtp(new RtpPacket(header, payload)).catch(() => undefined)
  }

  #inTurn<Outcome>(negotiate: () => Promise<Outcome>): Promise<Outcome> {
    const done = this.#negotiation.then(negotiate)
    this.#negotiation = done.catch(() => undefined)
    return done
  }

  async #negotiate(offer: string): Promise<string> {
    if (this.#state === 'closed') throw new UnusableOfferError('the call is over')
    const connection = this.#connection
    const generation = connection.iceGeneration
    await connection.setRemoteDescription({ type: 'offer', sdp: withoutCandidates(oneAudioStream(offer)) })
    if (this.#transceiver.codecs.length === 0) throw new UnusableOfferError('no codec in common')
    const answer = await this.#describe(await connection.createAnswer())
    // werift 0.25.2 does not restart the checks itself when it answers an ICE restart: DTLS is up, so
    // its connect() returns early, and the audio stays one-way for good. The checks need our answer,
    // so nobody waits for them here; if they fail the caller falls silent, which ends the call in time.
    if (this.#state === 'connected' && connection.iceGeneration > generation) {
      for (const transport of connection.iceTransports) transport.start().catch(() => undefined)
    }
    return answer
  }

  /** Takes our own description, and gives it as the browser shall have it. */
  async #describe(description: RTCSessionDescription): Promise<string> {
    if (this.#state === 'closed') throw new UnusableOfferError('the call is over')
    await gatherOneAtATime(() => this.#gather(description))
    const sdp = this.#connection.localDescription?.sdp
    if (sdp === undefined) throw new UnusableOfferError('no description could be made')
    return advertise(sdp, this.#address)
  }

  async #gather(description: RTCSessionDescription): Promise<void> {
    const connection = this.#connection
    if (connection.iceGatheringState !== 'complete') await requireSockets(this.#address)
    await connection.setLocalDescription(description)
    if (connection.iceGatheringState !== 'complete') {
      await connection.iceGatheringStateChange.watch(state => state === 'complete', gatheringTimeoutMs)
    }
    boundTcp(connection)
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
