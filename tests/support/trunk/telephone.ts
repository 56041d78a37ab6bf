import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { RtpHeader, RtpPacket } from 'werift'

/** The sound of a telephone behind a carrier: RTP on a port of 127.0.0.1, for SIPp to name in its answers. */
export interface Telephone {
  readonly port: number
  /** Payloads in G.711 mu-law that came, in their order. */
  readonly heard: Buffer[]
  /** RFC 4733 events that came, each once. */
  readonly digits: string[]
  /** Sends sound to where an INVITE says, in mu-law frames of 20 ms, over and over. */
  speak(invitation: string, loop: Buffer): void
  /** Keys these digits in, as RFC 4733 events of 100 ms. */
  press(digits: string): Promise<void>
  close(): Promise<void>
}

const frameMs = 20
const frameOctets = 160
const eventType = 101
const keys = '0123456789*#'

export async function openTelephone(): Promise<Telephone> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const heard: Buffer[] = []
  const digits: string[] = []
  const seen = new Set<number>()
  let to: { readonly host: string; readonly port: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let sequenceNumber = 0
  let timestamp = 0
  let pressing:
    | { readonly code: number; readonly beganAt: number; frames: number; readonly done: () => void }
    | undefined
  socket.on('message', message => {
    const { header, payload } = RtpPacket.deSerialize(message)
    if (header.payloadType === 0) heard.push(payload)
    const isNewEvent = header.payloadType === eventType && !seen.has(header.timestamp)
    if (!isNewEvent) return
    seen.add(header.timestamp)
    digits.push(keys[payload[0] ?? 0] ?? '?')
  })
  const send = (payloadType: number, payload: Buffer, at: number, marker = false) => {
    sequenceNumber += 1
    const header = new RtpHeader({ payloadType, sequenceNumber, timestamp: at, marker, ssrc: 7 })
    if (to !== undefined) socket.send(new RtpPacket(header, payload).serialize(), to.port, to.host)
  }
  /** RFC 4733, section 2.5: one packet each 20 ms, the last one three times with the end bit. */
  const sendEvent = (event: NonNullable<typeof pressing>) => {
    event.frames += 1
    const isLast = event.frames >= 5
    const payload = Buffer.from([event.code, isLast ? 0x8a : 0x0a, 0, 0])
    payload.writeUInt16BE(event.frames * frameOctets, 2)
    for (let count = 0; count < (isLast ? 3 : 1); count += 1)
      send(eventType, payload, event.beganAt, event.frames === 1)
    if (!isLast) return
    pressing = undefined
    event.done()
  }
  return {
    port: socket.address().port,
    heard,
    digits,
    speak(invitation, loop) {
      const host = /^c=IN IP4 (\S+)/m.exec(invitation)?.[1]
      const port = /^m=audio (\d+)/m.exec(invitation)?.[1]
      if (host === undefined || port === undefined) throw new Error('the INVITE names no place for sound')
      to = { host, port: Number(port) }
      clearInterval(timer)
      const beganAt = performance.now()
      let count = 0
      timer = setInterval(() => {
        while (count < (performance.now() - beganAt) / frameMs) {
          const from = (count * frameOctets) % loop.length
          const frame = Buffer.concat([loop, loop]).subarray(from, from + frameOctets)
          if (pressing === undefined) send(0, frame, timestamp)
          else sendEvent(pressing)
          timestamp += frameOctets
          count += 1
        }
      }, frameMs / 2)
    },
    async press(text) {
      for (const digit of text) {
        await new Promise<void>(done => {
          pressing = { code: keys.indexOf(digit), beganAt: timestamp, frames: 0, done }
        })
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    },
    close: async () => {
      clearInterval(timer)
      await new Promise<void>(resolve => socket.close(() => resolve()))
    },
  }
}
