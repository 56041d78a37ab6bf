import { atom } from 'nanostores'
import { willAskForMicrophone } from '#voice/microphone.ts'

/** The browser's permission prompt for the microphone is open, or about to open. */
export const $asksMicrophone = atom(false)

/** The microphone opens at once: whether the browser asks for it is found out meanwhile. */
export async function whileAsking<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  const opening = open()
  let over = false
  void willAskForMicrophone().then(asks => {
    if (asks && !over) $asksMicrophone.set(true)
  })
  try {
    return await opening
  } finally {
    over = true
    $asksMicrophone.set(false)
  }
}
