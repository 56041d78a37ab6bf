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
import type { BrowserSdp } from '../browser-sdp.ts'
import { type AudioPacket, type Codec, clockRateHz } from './audio-packet.ts'
import type { Digit } from './clips.ts'
import { raiseReportedLoss, watchLoss } from './loss-reports.ts'
import { advertise, type MediaAddress, requireSockets } from './media-address.ts'
import { OutgoingStream, type PacketNumbers } from './outgoing-stream.ts'
import { TelephoneEvents } from './telephone-events.ts'
import { guardTransports } from './transport-guard.ts'

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
      // Redundancy against loss, which the sender adds once loss is reported (RFC 7587, section 6.1).
      parameters: 'minptime=10;useinbandfec=1',
    }),
}

export interface MediaLegOptions {
  readonly address: MediaAddress
  readonly codecs: readonly Codec[]
  /** ICE and DTLS are connected. Called once. */
  readonly onConnected: () => void
  readonly onAudio: (packet: AudioPacket) => void
  /** A key that the other side sends as an RTP event. Undefined: such events are not negotiated. */
  readonly onKey?: ((digit: Digit) => void) | undefined
  /** The loss of our audio that the browser reports, 0 to 1; gaps in relayed audio count too. */
  readonly onLoss: (fractionLost: number) => void
}

/** An offer or answer with none of our codecs or with the wrong part in DTLS, or one that comes after the call's end. */
export class UnusableOfferError extends Error {
  override readonly name = 'UnusableOfferError'
}

const gatheringTimeoutMs = 3000

/** One browser's audio over WebRTC. ICE-lite: the browser connects to the one address that we name. */
export class MediaLeg {
  readonly #address: MediaAddress
  readonly #connection: RTCPeerConnection
  readonly #transceiver: RTCRtpTransceiver
  readonly #onAudio: MediaLegOptions['onAudio']
  readonly #events: TelephoneEvents | undefined
  readonly #outgoing = new OutgoingStream({
    sequenceNumber: randomInt(2 ** 15),
    timestamp: randomInt(2 ** 31),
  })
  #negotiation: Promise<unknown> = Promise.resolve()
  #state: 'opening' | 'connected' | 'closed' = 'opening'
  #usesTransport = false
  /** Loss of this browser's audio beyond us, on the way to its listener: 0 to 1. */
  #lossBeyond = 0

  constructor({ address, codecs, onConnected, onAudio, onKey, onLoss }: MediaLegOptions) {
    this.#address = address
    this.#events = onKey && new TelephoneEvents(onKey)
    const { bound, ports } = address
    const audio = codecs.map(codec => codecParameters[codec]())
    this.#connection = new RTCPeerConnection({
      iceServers: [],
      iceLite: true,
      // For networks that block UDP: a TCP listener, to which the browser connects (RFC 6544).
      iceUseTcp: true,
      // Only the named address, to which UDP is bound too: a socket on all addresses may answer from another one, and then
      // ICE never completes.
      iceUseIpv4: false,
      iceUseIpv6: false,
      iceAdditionalHostAddresses: [bound],
      iceInterfaceAddresses: isIPv6(bound) ? { udp6: bound } : { udp4: bound },
      icePortRange: ports && [...ports],
      bundlePolicy: 'max-bundle',
      codecs: { audio: this.#events === undefined ? audio : [...audio, this.#events.codec] },
    })
    this.#transceiver = this.#connection.addTransceiver('audio', { direction: 'sendrecv' })
    this.#connection.connectionStateChange.subscribe(state => {
      if (state !== 'connected' || this.#state !== 'opening') return
      this.#state = 'connected'
      onConnected()
    })
    watchLoss(this.#transceiver.sender, onLoss)
    this.#onAudio = onAudio
  }

  /** The negotiated codecs, our best first; empty before that. */
  get codecs(): readonly Codec[] {
    return (['opus', 'pcmu'] as const).filter(codec => this.#parameters(codec) !== undefined)
  }

  /** Our SDP offer, with all candidates. For a connection not negotiated yet. @throws NoSocketError */
  offer(): Promise<string> {
    return this.#inTurn(async () => {
      const sdp = await this.#describe(await this.#connection.createOffer())
      // As in our answers, werift must be the DTLS client: as server it derives its keys anew when a client repeats itself.
      return sdp.replace(/^a=setup:actpass/m, 'a=setup:active')
    })
  }

  /** Applies the answer to our offer. @throws UnusableOfferError when it has none of our codecs */
  accept(sdp: BrowserSdp): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === 'closed') throw new UnusableOfferError('the call is over')
      if (!/^a=setup:passive\r?$/m.test(sdp)) throw new UnusableOfferError('not a DTLS server')
      await this.#connection.setRemoteDescription({ type: 'answer', sdp })
      if (this.codecs.length === 0) throw new UnusableOfferError('no codec in common')
    })
  }

  /**
   * Answers a first or later offer (an ICE restart), one at a time: a client repeats itself when an answer is slow.
   * @throws UnusableOfferError when the offer has nothing that we support, NoSocketError
   */
  answer(offer: BrowserSdp): Promise<string> {
    return this.#inTurn(() => this.#negotiate(offer))
  }

  /** Sends 20 ms of mu-law, timed by the ticker's count. @returns false if not connected or without mu-law */
  send(payload: Buffer, frame: number): boolean {
    const parameters = this.#parameters('pcmu')
    if (this.#state !== 'connected' || parameters === undefined) return false
    this.#transmit(parameters, this.#outgoing.own(frame), payload)
    return true
  }

  /** Forwards a packet untouched. @returns false if not connected, for another codec, or when it came too late */
  relay(packet: AudioPacket, frame: number): boolean {
    const parameters = this.#parameters(packet.codec)
    if (this.#state !== 'connected' || parameters === undefined) return false
    const numbers = this.#outgoing.relayed(packet, frame)
    if (numbers === undefined) return false
    this.#transmit(parameters, numbers, packet.payload)
    return true
  }

  /** Reports to the browser how much of its audio is lost on the way to its listener, 0 to 1. */
  reportLoss(fractionLost: number): void {
    this.#lossBeyond = fractionLost
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
    // werift stamps each packet with the sender codec's payload type before it first yields.
    sender.codec = parameters
    const header = new RtpHeader({ payloadType: parameters.payloadType, ...numbers })
    // A packet that cannot be sent counts as lost, as on any network.
    sender.sendRtp(new RtpPacket(header, payload)).catch(() => undefined)
  }

  #inTurn<Outcome>(negotiate: () => Promise<Outcome>): Promise<Outcome> {
    const done = this.#negotiation.then(negotiate)
    this.#negotiation = done.catch(() => undefined)
    return done
  }

  async #negotiate(sdp: BrowserSdp): Promise<string> {
    if (this.#state === 'closed') throw new UnusableOfferError('the call is over')
    const connection = this.#connection
    const generation = connection.iceGeneration
    if (/^a=setup:active\r?$/m.test(sdp)) throw new UnusableOfferError('not a DTLS server')
    await connection.setRemoteDescription({ type: 'offer', sdp })
    if (this.#transceiver.codecs.length === 0) throw new UnusableOfferError('no codec in common')
    const answer = await this.#describe(await connection.createAnswer())
    // werift 0.25.2 does not restart the ICE checks when it answers an ICE restart: DTLS is up, so its connect() returns
    // early, and the audio stays one-way for good. The checks need our answer, so they are not awaited; if they fail the
    // caller falls silent, which ends the call in time.
    if (this.#state === 'connected' && connection.iceGeneration > generation) {
      for (const transport of connection.iceTransports) transport.start().catch(() => undefined)
    }
    return answer
  }

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
    guardTransports(connection)
    if (this.#usesTransport) return
    this.#usesTransport = true
    const { dtlsTransport } = this.#transceiver
    raiseReportedLoss(dtlsTransport, () => this.#lossBeyond)
    // Not the receiver's track, which needs an SSRC in the SDP: a media host names none. There is one stream anyway.
    dtlsTransport.onRtp.subscribe(packet => this.#hear(packet))
  }

  #hear(packet: RtpPacket): void {
    if (this.#events?.receive(packet) === true) return
    const { header, payload } = packet
    const codec = this.codecs.find(one => this.#parameters(one)?.payloadType === header.payloadType)
    if (codec === undefined) return
    const { sequenceNumber, timestamp, marker } = header
    this.#onAudio({ codec, payload, sequenceNumber, timestamp, marker })
  }
}

let gathering: Promise<unknown> = Promise.resolve()

/** One at a time over all calls: a port found free must still be free when it is bound. */
function gatherOneAtATime(gather: () => Promise<void>): Promise<void> {
  const done = gathering.then(gather)
  gathering = done.catch(() => undefined)
  return done
}
