import type { CallAudio } from './call-audio.ts'
import type { LineTimers } from './line-timers.ts'
import type { LineCallFacts, LineControl } from './lines/line.ts'

/** What a line's control works on, and what it asks of the call itself. */
export interface LineControlOptions extends Pick<LineControl, 'ring' | 'answer' | 'hangUp'> {
  readonly call: LineCallFacts
  readonly audio: CallAudio
  readonly timers: LineTimers
  readonly isLive: () => boolean
}

/** A line's hold on its call. After the call's end all of it does nothing. */
export function createLineControl(options: LineControlOptions): LineControl {
  const { call, audio, timers, isLive, ring, answer, hangUp } = options
  const whileLive = (action: () => void) => {
    if (isLive()) action()
  }
  return {
    call,
    codecs: () => audio.codecs,
    ring: () => whileLive(ring),
    answer: () => whileLive(answer),
    hangUp: (end, atMs) => whileLive(() => hangUp(end, atMs)),
    play: (sources, whenDone) => whileLive(() => audio.player.play(sources, whenDone)),
    add: source => whileLive(() => audio.player.add(source)),
    startRelay: () => whileLive(() => audio.startRelay()),
    relay: packet => whileLive(() => audio.relay(packet)),
    sound: digit => whileLive(() => audio.sound(digit)),
    cutAudio: () => whileLive(() => audio.cut()),
    after: (ms, action) => whileLive(() => timers.add(ms, action)),
  }
}
