import type { AudioSource } from './audio-source.ts'
import { silentFrame } from './frames.ts'

/** What a line sends: a queue of sources, and silence when it is empty. */
export class Player {
  #queue: AudioSource[] = []
  #whenDone: (() => void) | undefined

  /** Drops what plays and plays these, one after the other; `whenDone` is called once after the last. */
  play(sources: readonly AudioSource[], whenDone?: () => void): void {
    this.#queue = [...sources]
    this.#whenDone = whenDone
  }

  /** Plays this after all that waits. */
  add(source: AudioSource): void {
    this.#queue.push(source)
  }

  /** The next 20 ms. */
  next(): Buffer {
    for (let source = this.#queue[0]; source !== undefined; source = this.#queue[0]) {
      const frame = source.next()
      if (frame !== undefined) return frame
      this.#queue.shift()
    }
    const whenDone = this.#whenDone
    this.#whenDone = undefined
    whenDone?.()
    return silentFrame
  }
}
