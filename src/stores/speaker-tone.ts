import { playTestTone, type TonePlayed } from '#voice/test-tone.ts'
import { $soundDevices } from './sound-devices.ts'

/** Plays a tone on the speaker that calls use now. */
export function playSpeaker(): Promise<TonePlayed> {
  return playTestTone($soundDevices.get().speaker.used?.id)
}
