import { atom } from 'nanostores'
import { willAskForMicrophone } from '#voice/microphone-permission.ts'

/** The browser asks, or is about to ask, whether this page may use the microphone. */
export const $asksMicrophone = atom(false)

/** Opens the microphone, and tells meanwhile that the browser asks for it, where it does. */
export async function whileAsking<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  if (await willAskForMicrophone()) $asksMicrophone.set(true)
  try {
    return await open()
  } finally {
    $asksMicrophone.set(false)
  }
}
