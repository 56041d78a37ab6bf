import { frameMs } from './frames.ts'

/**
 * How many late frames are made up for after a stall (a garbage collection, a busy machine). What is
 * older would only arrive too late to be played.
 */
const mostLateFrames = 5

/** Called with the number of the frame. It must not throw: the others would wait for it. */
export type OnFrame = (frame: number) => void

/**
 * The one 20 ms clock behind every call. It paces audio, so it runs on real time whatever clock the
 * server was given; it stops when nobody listens. Frame numbers grow by one every 20 ms and skip what
 * a stall swallowed, so that timestamps made from them stay true.
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
    this.#frame = Math.max(this.#frame, due - mostLateFrames)
    while (this.#frame < due) {
      this.#frame += 1
      for (const listener of this.#listeners) listener(this.#frame)
    }
    if (this.#listeners.size > 0 && this.#timer === undefined) this.#schedule()
  }
}
