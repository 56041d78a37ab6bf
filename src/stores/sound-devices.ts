import { atom } from 'nanostores'
import { canChooseSpeaker } from '#voice/test-tone.ts'
import { callLine } from './call.ts'
import { chosenSound, keepChosenSound, type SoundDevice, type SoundKind } from './chosen-sound.ts'

export interface SoundChoice {
  /** What is connected, without the system's own choice; empty before the microphone was allowed once. */
  readonly devices: readonly SoundDevice[]
  /** The one that is used; null: the system chooses. */
  readonly used: SoundDevice | null
  /** One that was chosen and is not connected. */
  readonly missing: SoundDevice | null
}

export type SoundDevices = Readonly<Record<SoundKind, SoundChoice>> & {
  /** Whether this browser lets a page choose the speaker. */
  readonly canChooseSpeaker: boolean
}

const kinds = { microphone: 'audioinput', speaker: 'audiooutput' } as const
/** Chromium's own words for what the system chooses, and for what it calls with. */
const systemIds: readonly string[] = ['default', 'communications']
const none: SoundChoice = { devices: [], used: null, missing: null }

/** The microphones and speakers of this browser. Written here alone. */
export const $soundDevices = atom<SoundDevices>({
  microphone: none,
  speaker: none,
  canChooseSpeaker: canChooseSpeaker(),
})

/** Where the browser has given a device a new name since it was chosen, its label still tells which it is. */
function choiceAmong(kind: SoundKind, all: readonly MediaDeviceInfo[]): SoundChoice {
  const devices = all
    .filter(one => one.kind === kinds[kind] && one.label !== '' && !systemIds.includes(one.deviceId))
    .map(({ deviceId, label }) => ({ id: deviceId, label }))
  const chosen = chosenSound(kind)
  if (chosen === null) return { devices, used: null, missing: null }
  const used =
    devices.find(({ id }) => id === chosen.id) ?? devices.find(({ label }) => label === chosen.label) ?? null
  if (used !== null && used.id !== chosen.id) keepChosenSound(kind, used)
  // Before the browser names any, nobody knows what is connected.
  return { devices, used, missing: used === null && devices.length > 0 ? chosen : null }
}

/** Looks anew at what is connected. */
export async function lookAtSoundDevices(): Promise<void> {
  const media = navigator.mediaDevices as MediaDevices | undefined
  const all = (await media?.enumerateDevices().catch(() => [])) ?? []
  $soundDevices.set({
    ...$soundDevices.get(),
    microphone: choiceAmong('microphone', all),
    speaker: choiceAmong('speaker', all),
  })
}

/** Keeps the list up to date while somebody looks at it. @returns what ends that */
export function followSoundDevices(): () => void {
  const look = () => void lookAtSoundDevices()
  look()
  const media = navigator.mediaDevices as MediaDevices | undefined
  media?.addEventListener('devicechange', look)
  return () => media?.removeEventListener('devicechange', look)
}

/** One change after the other: of two quick ones the call keeps the second. */
const changes: Record<SoundKind, Promise<unknown>> = {
  microphone: Promise.resolve(),
  speaker: Promise.resolve(),
}

/**
 * Chooses what to call with, from now on and in the call that goes on; null: the system chooses.
 * @returns whether the call took it, which it does where there is none
 */
export async function chooseSound(kind: SoundKind, device: SoundDevice | null): Promise<boolean> {
  keepChosenSound(kind, device)
  const { [kind]: choice } = $soundDevices.get()
  $soundDevices.set({ ...$soundDevices.get(), [kind]: { ...choice, used: device, missing: null } })
  const change = changes[kind].then(() => callLine.changeSound(kind, device?.id))
  changes[kind] = change.catch(() => undefined)
  return change
}
