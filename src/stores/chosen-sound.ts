import { localStore } from './storage.ts'

export type SoundKind = 'microphone' | 'speaker'

/** A microphone or a speaker, as the browser names it to this site. */
export interface SoundDevice {
  readonly id: string
  readonly label: string
}

const keyOf = (kind: SoundKind) => `${kind}Device`

/** What this browser's user has chosen to call with; null: the system chooses. It need not be connected. */
export function chosenSound(kind: SoundKind): SoundDevice | null {
  const [id, label = ''] = localStore.read(keyOf(kind))?.split('\n') ?? []
  return id ? { id, label } : null
}

/** Remembers a choice; null: the system chooses from now on. */
export function keepChosenSound(kind: SoundKind, device: SoundDevice | null): void {
  if (device === null) localStore.remove(keyOf(kind))
  else localStore.write(keyOf(kind), `${device.id}\n${device.label}`)
}
