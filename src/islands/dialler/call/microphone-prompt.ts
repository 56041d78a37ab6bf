import { atom } from 'nanostores'
import { willAskForMicrophone } from '#voice/microphone.ts'

/** The browser's permission prompt for the microphone is open, or about to open. */
export const $asksMicrophone = atom(false)

export async function whileAsking<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  if (await willAskForMicrophone()) $asksMicrophone.set(true)
  try {
    return await open()
  } finally {
    $asksMicrophone.set(false)
  }
}
