import { atom, type ReadableAtom } from 'nanostores'
import type { createDigitQueue, DigitQueue } from '#voice/digit-queue.ts'
import { type DigitQueueState, emptyDigits } from '#voice/digit-queue-state.ts'
import type { VoiceClient } from '#voice/port.ts'

/** The digits of the call, and the mute that they share with the user. */
export interface CallDigits {
  readonly $digits: ReadableAtom<DigitQueueState>
  /** Forgets the digits of the call before. */
  reset(): void
  /** Once the call is answered. */
  open(client: VoiceClient, createQueue: typeof createDigitQueue): void
  /** Null outside an answered call. */
  queue(): DigitQueue | null
  /** Mutes by choice, and while digits are sent: voice menus also listen for speech. */
  holdMicrophone(): void
  close(): void
}

/** @param isMuted whether the user muted the answered call */
export function createCallDigits(
  wait: (ms: number, callback: () => void) => void,
  isMuted: () => boolean,
): CallDigits {
  const $digits = atom<DigitQueueState>(emptyDigits)
  let line: { readonly client: VoiceClient; readonly queue: DigitQueue } | null = null
  /** What the client was last set to. */
  let silenced = false

  function holdMicrophone(): void {
    const silent = isMuted() || $digits.get().sending
    if (line === null || silent === silenced) return
    silenced = silent
    line.client.mute(silent)
  }

  return {
    $digits,
    holdMicrophone,
    reset() {
      $digits.set(emptyDigits)
      silenced = false
    },
    open(client, createQueue) {
      const queue = createQueue({
        send: digit => client.sendDigits(digit),
        wait,
        onChange: state => {
          if (line?.client !== client) return
          $digits.set(state)
          holdMicrophone()
        },
      })
      line = { client, queue }
    },
    queue: () => line?.queue ?? null,
    close() {
      const ended = line
      line = null
      ended?.queue.cancel()
    },
  }
}
