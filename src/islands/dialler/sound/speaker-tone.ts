import { playTestTone, type TonePlayed } from '#voice/test-tone.ts'
import { $soundDevices } from './sound-devices.ts'

export function playSpeaker(): Promise<TonePlayed> {
  return playTestTone($soundDevices.get().speaker.used?.id)
}
