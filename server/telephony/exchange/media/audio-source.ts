import { frameOctets, silentFrame } from './frames.ts'
import { silentOctet } from './mulaw.ts'

/** Something to be heard, 20 ms at a time. */
export interface AudioSource {
  /** The next 160 octets, or undefined when it is over. */
  next(): Buffer | undefined
}

/** Plays the samples once; the last frame is filled up with silence. */
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

/** Plays the samples for ever, without a seam. */
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

/** An echo's delay and the most that it holds back before it drops the oldest. */
const echoDelayFrames = 15
const echoMostFrames = 50

export interface Echo extends AudioSource {
  /** Mu-law as it was received. */
  hear(payload: Buffer): void
}

/** Gives back what it hears, 300 ms later, so that it is heard as an echo. */
export function echo(): Echo {
  let held = Buffer.alloc(0)
  let flowing = false
  return {
    hear(payload) {
      held = Buffer.concat([held, payload])
      if (held.length > echoMostFrames * frameOctets) held = held.subarray(-echoDelayFrames * frameOctets)
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
