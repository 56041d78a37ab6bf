import { frameMs } from './mulaw.ts'

/** Max frames made up for after a stall (a garbage collection, a busy machine). Older ones would come too late. */
const maxLateFrames = 5

/** Gets the frame number. Must not throw, as the other listeners wait for it. */
export type OnFrame = (frame: number) => void

/**
 * The clock behind every call: it ticks every 20 ms of real time, whatever the server's clock, and stops without
 * listeners. Frame numbers skip those missed in a stall, so that timestamps made from them stay true.
 */
export class Ticker {
  readonly #listeners = new Set<OnFrame>()
  #timer: NodeJS.Timeout | undefined
  #startedAtMs = 0
  #frame = 0

  get listeners(): number {
    return this.#listeners.size
  }

  add(listener: OnFrame): void {
    this.#listeners.add(listener)
    if (this.#timer !== undefined) return
    this.#startedAtMs = performance.now() - this.#frame * frameMs
    this.#schedule()
  }

  remove(listener: OnFrame): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    const dueInMs = this.#startedAtMs + (this.#frame + 1) * frameMs - performance.now()
    this.#timer = setTimeout(() => this.#run(), Math.max(1, dueInMs))
  }

  #run(): void {
    this.#timer = undefined
    const due = Math.floor((performance.now() - this.#startedAtMs) / frameMs)
    this.#frame = Math.max(this.#frame, due - maxLateFrames)
    while (this.#frame < due) {
      this.#frame += 1
      for (const listener of this.#listeners) listener(this.#frame)
    }
    if (this.#listeners.size > 0 && this.#timer === undefined) this.#schedule()
  }
}
