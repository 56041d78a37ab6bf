import { isLive } from '#lib/rules/call.ts'
import { $call } from './call.ts'
import { chosenSound, type SoundKind } from './chosen-sound.ts'
import { $soundDevices, chooseSound, lookAtSoundDevices } from './sound-devices.ts'

/** The voice client looks at the devices itself first, and knows a speaker only then. */
const clientLooksMs = 1000

const kinds: readonly SoundKind[] = ['microphone', 'speaker']
/** What was chosen and is not connected. */
const away = new Set<SoundKind>()

/** Anew with what was chosen, unless another one was chosen since. */
function takeUp(kind: SoundKind): void {
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
    else if (away.delete(kind) && used !== null) setTimeout(() => takeUp(kind), clientLooksMs)
  }
}

/** A chosen microphone or speaker that is plugged in again during a call is used again. */
export function followReturningSound(): void {
  let live = false
  $call.subscribe(call => {
    if (isLive(call) && !live) {
      away.clear()
      void look()
    }
    live = isLive(call)
  })
  const media = navigator.mediaDevices as MediaDevices | undefined
  media?.addEventListener('devicechange', () => void look())
}
