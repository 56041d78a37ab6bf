import type { AudioSource } from './audio-source.ts'
import { silentFrame } from './mulaw.ts'

export class Player {
  #queue: AudioSource[] = []
  #whenDone: (() => void) | undefined

  /** Replaces the queue by these; `whenDone` is called once after the last. */
  play(sources: readonly AudioSource[], whenDone?: () => void): void {
    this.#queue = [...sources]
    this.#whenDone = whenDone
  }

  add(source: AudioSource): void {
    this.#queue.push(source)
  }

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
