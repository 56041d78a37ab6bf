import { claimNumber } from '#lib/api/handset.ts'
import { request } from '#session/transport.ts'
import { ring } from '#voice/handset-ring.ts'
import { openHandsetSound, prepareSound } from '#voice/handset-sound.ts'
import { closeMicrophone, openMicrophone } from '#voice/microphone.ts'
import { createHandset } from './handset-line.ts'
import { refreshNumbers } from './handset-numbers.ts'
import { $handsetSettings, changeHandset, type HandsetSettings } from './handset-settings.ts'

async function tryMicrophone() {
  const opened = await openMicrophone()
  if (!opened.ok) return opened.code
  closeMicrophone(opened.value)
  return null
}

const telephone = createHandset({
  settings: () => $handsetSettings.get(),
  claim: body => request(claimNumber, { body }),
  loadHandset: async route => {
    const { loadHandset } = await import('#voice/handset.ts')
    return loadHandset(route)
  },
  openSound: openHandsetSound,
  tryMicrophone,
  ring,
  nowMs: () => performance.now(),
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})

export const { $handset, $textMessage, sendText, giveUp, answer, decline, hangUp, setMuted, press } =
  telephone

export async function claim(): Promise<void> {
  prepareSound()
  await telephone.claim()
}

export async function listenOn(number: string): Promise<void> {
  changeHandset({ number })
  await claim()
}

export async function set(change: Partial<Omit<HandsetSettings, 'number'>>): Promise<void> {
  changeHandset(change)
  await telephone.follow()
}

/** Starts the handset. Leaving the page releases its claim. @returns stops it */
export function openHandset(): () => void {
  let before = $handset.get().state
  const stopListening = $handset.listen(({ state }) => {
    // The list changes with a claim, not with a call.
    if (state !== before && ![before, state].includes('ringing') && before !== 'talking')
      void refreshNumbers()
    before = state
  })
  window.addEventListener('pagehide', giveUp)
  return () => {
    stopListening()
    window.removeEventListener('pagehide', giveUp)
    giveUp()
  }
}
