import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { chosenSound, type SoundKind } from './chosen-sound.ts'
import { $soundDevices, chooseSound, lookAtSoundDevices } from './sound-devices.ts'

/** The voice client reads the device list first; it does not know a speaker before. */
const clientLooksMs = 1000

const kinds: readonly SoundKind[] = ['microphone', 'speaker']
const away = new Set<SoundKind>()

function resumeDevice(kind: SoundKind): void {
  const { used } = $soundDevices.get()[kind]
  if (used === null || !isLive($call.get())) return
  void chooseSound(kind, used).catch(() => undefined)
}

async function look(): Promise<void> {
  if (!isLive($call.get())) return
  await lookAtSoundDevices()
  for (const kind of kinds) {
    const { used } = $soundDevices.get()[kind]
    if (used === null && chosenSound(kind) !== null) away.add(kind)
    else if (away.delete(kind) && used !== null) setTimeout(() => resumeDevice(kind), clientLooksMs)
  }
}

/** When a chosen microphone or speaker is plugged in again during a call, the call uses it again. */
export function followReturningSound(): void {
  let connected = false
  $call.subscribe(call => {
    const wasConnected = connected
    // Not while the call's microphone opens: browsers do one after the other.
    connected = isLive(call) && call.state !== 'preparing'
    if (!connected || wasConnected) return
    away.clear()
    void look()
  })
  const media = navigator.mediaDevices as MediaDevices | undefined
  media?.addEventListener('devicechange', () => void look())
}
