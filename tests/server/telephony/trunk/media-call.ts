import { randomUUID } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type CarrierMedia, MediaHost } from '#server/telephony/trunk/media-host.ts'
import { type RunningMediaHost, startMediaHost } from '#support/trunk/media-host.ts'
import { closeAfterwards } from '#support/trunk/world.ts'
import { Phone } from '../exchange/phone.ts'

/** The carrier's end of the sound: a socket that sends back what it gets. */
export interface Echo {
  readonly packets: readonly Buffer[]
  readonly payloadTypes: () => readonly number[]
  readonly port: number
}

/** RTP's SSRC: a phone takes sound under its own for none. */
export const echoSource = 4321

export async function openEcho(): Promise<Echo> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(async () => void socket.close())
  const packets: Buffer[] = []
  socket.on('message', (packet: Buffer, from: RemoteInfo) => {
    packets.push(packet)
    const echo = Buffer.from(packet)
    echo.writeUInt32BE(echoSource, 8)
    socket.send(echo, from.port, from.address)
  })
  const payloadTypes = () => packets.map(packet => (packet[1] ?? 0) & 0x7f)
  return { packets, payloadTypes, port: socket.address().port }
}

export interface Answer {
  readonly port: number
  /** Payload type of RFC 4733 in the offer. */
  readonly events: number
  readonly profile?: 'RTP/AVP' | 'RTP/SAVP'
  readonly lines?: readonly string[]
}

/** A carrier's answer. */
export const answerSdp = ({ port, events, profile = 'RTP/AVP', lines = [] }: Answer): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} ${profile} 0 ${events}`,
    'a=rtpmap:0 PCMU/8000',
    `a=rtpmap:${events} telephone-event/8000`,
    ...lines,
    'a=sendrecv',
    '',
  ].join('\r\n')

export const plainMedia: CarrierMedia = { codecs: ['PCMU', 'PCMA'], srtp: false }

export interface MediaCall {
  readonly running: RunningMediaHost
  readonly host: MediaHost
  readonly phone: Phone
  /** Payloads that the phone has got. */
  readonly heard: readonly Buffer[]
  readonly id: string
  /** For the carrier, and its payload type of RFC 4733. */
  readonly offer: string
  readonly events: number
}

/** A call whose carrier has an offer. */
export async function openMediaCall(media = plainMedia): Promise<MediaCall> {
  const running = await startMediaHost()
  closeAfterwards(running.close)
  const host = new MediaHost(running.url)
  const phone = new Phone()
  closeAfterwards(() => phone.close())
  const heard: Buffer[] = []
  const id = randomUUID()
  const offer = await host.offer(id, await phone.checkedOffer(), media)
  // Of the transport: werift finds no track for a stream that the SDP does not name, as a browser does.
  for (const transport of phone.connection.dtlsTransports)
    transport.onRtp.subscribe(packet => heard.push(packet.payload))
  const events = Number(/a=rtpmap:(\d+) telephone-event/.exec(offer)?.[1])
  return { running, host, phone, heard, id, offer, events }
}
