import { frameOctets, silentFrame, silentOctet } from './mulaw.ts'

export interface AudioSource {
  /** The next 20 ms (160 octets); undefined at the end. */
  next(): Buffer | undefined
}

/** Plays the samples once; the last frame is padded with silence. */
export function once(samples: Buffer): AudioSource {
  let position = 0
  return {
    next() {
      if (position >= samples.length) return undefined
      const frame = samples.subarray(position, position + frameOctets)
      position += frameOctets
      if (frame.length === frameOctets) return frame
      return Buffer.concat([frame], frameOctets).fill(silentOctet, frame.length)
    },
  }
}

export function repeat(samples: Buffer): AudioSource {
  let position = 0
  return {
    next() {
      const frame = Buffer.allocUnsafe(frameOctets)
      for (let filled = 0; filled < frameOctets; ) {
        const copied = samples.copy(frame, filled, position)
        filled += copied
        position = (position + copied) % samples.length
      }
      return frame
    },
  }
}

/** Delay of an echo, and how much it buffers before it drops the oldest. */
const echoDelayFrames = 15
const maxEchoFrames = 50

export interface Echo extends AudioSource {
  receive(payload: Buffer): void
}

/** Returns the received audio 300 ms later, so that it is heard as an echo. */
export function echo(): Echo {
  let held = Buffer.alloc(0)
  let flowing = false
  return {
    receive(payload) {
      held = Buffer.concat([held, payload])
      if (held.length > maxEchoFrames * frameOctets) held = held.subarray(-echoDelayFrames * frameOctets)
      if (held.length >= echoDelayFrames * frameOctets) flowing = true
    },
    next() {
      if (held.length < frameOctets) flowing = false
      if (!flowing) return silentFrame
      const frame = held.subarray(0, frameOctets)
      held = held.subarray(frameOctets)
      return frame
    },
  }
}
