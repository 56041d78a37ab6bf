import { claimNumber } from '#lib/api/handset.ts'
import { ring } from '#voice/handset-ring.ts'
import { openHandsetSound, prepareSound } from '#voice/handset-sound.ts'
import { closeMicrophone, openMicrophone } from '#voice/microphone.ts'
import { createHandset } from './handset-line.ts'
import { refreshNumbers } from './handset-numbers.ts'
import { $handsetSettings, changeHandset, type HandsetSettings } from './handset-settings.ts'
import { request } from './transport.ts'

async function tryMicrophone() {
  const opened = await openMicrophone()
  if (!opened.ok) return opened.code
  closeMicrophone(opened.value)
  return null
}

/** The telephone of this tab. */
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

export const { $handset, giveUp, answer, decline, hangUp, setMuted, press } = telephone

/** Claims the number that stands in the field. */
export async function claim(): Promise<void> {
  prepareSound()
  await telephone.claim()
}

/** Claims a number of the list in the place of the one this telephone has. */
export async function take(number: string): Promise<void> {
  changeHandset({ number })
  await claim()
}

/** Sets what the telephone does; a claim that stands goes on with it. */
export async function set(change: Partial<Omit<HandsetSettings, 'number'>>): Promise<void> {
  changeHandset(change)
  await telephone.follow()
}

/**
 * Puts the telephone to work; with the page goes its claim.
 * @returns what stops it
 */
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
