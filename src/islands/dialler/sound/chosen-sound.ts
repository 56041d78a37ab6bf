import { localStore } from '#session/storage.ts'

export type SoundKind = 'microphone' | 'speaker'

export interface SoundDevice {
  readonly id: string
  readonly label: string
}

const keyOf = (kind: SoundKind) => `${kind}Device`

/** The chosen device; null for the system's choice. It may not be connected. */
export function chosenSound(kind: SoundKind): SoundDevice | null {
  const [id, label = ''] = localStore.read(keyOf(kind))?.split('\n') ?? []
  return id ? { id, label } : null
}

export function keepChosenSound(kind: SoundKind, device: SoundDevice | null): void {
  if (device === null) localStore.remove(keyOf(kind))
  else localStore.write(keyOf(kind), `${device.id}\n${device.label}`)
}
