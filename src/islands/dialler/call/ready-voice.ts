import type { VoiceEvent } from '#voice/port.ts'
import { type EquipmentPorts, openVoice, type ReadyVoice, type TokenPorts } from './call-equipment.ts'

/** How long a client waits for its call. */
const maxWaitMs = 120_000
/** How often a client is looked at. If a look comes this late, the device slept, and the connection may have died unnoticed. */
const lookMs = 5000

export interface ReadyVoicePorts extends EquipmentPorts, TokenPorts {
  /** Unix time in milliseconds: other clocks may stop while the device sleeps. */
  readonly wallMs: () => number
  /** Loads code whose absence neither reloads the page nor shows on it. */
  readonly loadQuietly: <Part>(load: () => Promise<Part>) => Promise<Part>
}

export interface ReadyVoices {
  /** Requests a token and connects a client, so that the next call need not. Does nothing if there is one. */
  prepare(): void
  /** Hands over the client, which emits to `onEvent` from now on; null without a fresh one. */
  take(onEvent: (event: VoiceEvent) => void): Promise<ReadyVoice | null>
  discard(): void
}

interface Waiting {
  readonly untilMs: number
  seenMs: number
  /** Whatever happens to a client without a call makes it useless; with one, the call handles it. */
  emit: (event: VoiceEvent) => void
  readonly opening: Promise<ReadyVoice | null>
}

/** Keeps at most one client ready for a call that is likely. */
export function createReadyVoices(ports: ReadyVoicePorts): ReadyVoices {
  let waiting: Waiting | null = null

  function discard(): void {
    const former = waiting
    waiting = null
    void former?.opening.then(voice => voice?.client.destroy())
  }

  function isFresh({ untilMs, seenMs }: Waiting): boolean {
    const nowMs = ports.wallMs()
    return nowMs < untilMs && nowMs - seenMs < 2 * lookMs
  }

  function watch(mine: Waiting): void {
    ports.wait(lookMs, () => {
      if (waiting !== mine) return
      if (!isFresh(mine)) return discard()
      mine.seenMs = ports.wallMs()
      watch(mine)
    })
  }

  /** After a rejection the call requests a token of its own, and says what is wrong. */
  async function open(onEvent: (event: VoiceEvent) => void): Promise<ReadyVoice | null> {
    const token = await ports.requestToken(true)
    return token.ok ? ports.loadQuietly(() => openVoice(ports, token.value, onEvent)) : null
  }

  return {
    prepare() {
      if (waiting !== null) return
      const mine: Waiting = {
        untilMs: ports.wallMs() + maxWaitMs,
        seenMs: ports.wallMs(),
        emit: discard,
        opening: open(event => mine.emit(event)),
      }
      waiting = mine
      watch(mine)
    },
    async take(onEvent) {
      const mine = waiting
      if (mine === null || !isFresh(mine)) {
        discard()
        return null
      }
      waiting = null
      mine.emit = onEvent
      const voice = await mine.opening
      if (isFresh(mine) && voice?.client.isLost() === false) return voice
      voice?.client.destroy()
      return null
    },
    discard,
  }
}
