import type { CallAudio } from './call-audio.ts'
import type { EndpointCallFacts, EndpointControl } from './endpoints/endpoint.ts'
import type { LineTimers } from './line-timers.ts'

export interface EndpointControlOptions extends Pick<EndpointControl, 'ring' | 'answer' | 'hangUp'> {
  readonly call: EndpointCallFacts
  readonly audio: CallAudio
  readonly timers: LineTimers
  readonly isLive: () => boolean
}

export function createEndpointControl(options: EndpointControlOptions): EndpointControl {
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
    reportLoss: fractionLost => whileLive(() => audio.reportLoss(fractionLost)),
    sound: digit => whileLive(() => audio.sound(digit)),
    cutAudio: () => whileLive(() => audio.cut()),
    after: (ms, action) => whileLive(() => timers.add(ms, action)),
  }
}
