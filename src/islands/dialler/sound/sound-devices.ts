import { atom } from 'nanostores'
import { canChooseSpeaker } from '#voice/test-tone.ts'
import { callLine } from '../call/call.ts'
import { chosenSound, keepChosenSound, type SoundDevice, type SoundKind } from './chosen-sound.ts'

export interface SoundChoice {
  /** Connected devices without the system's choice; empty until the microphone was allowed once. */
  readonly devices: readonly SoundDevice[]
  /** The device in use; null for the system's choice. */
  readonly used: SoundDevice | null
  readonly missing: SoundDevice | null
}

export type SoundDevices = Readonly<Record<SoundKind, SoundChoice>> & {
  readonly canChooseSpeaker: boolean
}

const kinds = { microphone: 'audioinput', speaker: 'audiooutput' } as const
/** Chromium's ids for the system's default device and its device for calls, and Firefox's for its default speaker. */
const systemIds: readonly string[] = ['default', 'communications', '']
const none: SoundChoice = { devices: [], used: null, missing: null }

export const $soundDevices = atom<SoundDevices>({
  microphone: none,
  speaker: none,
  canChooseSpeaker: canChooseSpeaker(),
})

/** If the browser has given a device a new id, its label still identifies it. */
function choiceAmong(kind: SoundKind, all: readonly MediaDeviceInfo[]): SoundChoice {
  const devices = all
    .filter(one => one.kind === kinds[kind] && one.label !== '' && !systemIds.includes(one.deviceId))
    .map(({ deviceId, label }) => ({ id: deviceId, label }))
  const chosen = chosenSound(kind)
  if (chosen === null) return { devices, used: null, missing: null }
  const used =
    devices.find(({ id }) => id === chosen.id) ?? devices.find(({ label }) => label === chosen.label) ?? null
  if (used !== null && used.id !== chosen.id) keepChosenSound(kind, used)
  // Before the browser lists any device, it is unknown what is connected.
  return { devices, used, missing: used === null && devices.length > 0 ? chosen : null }
}

export async function lookAtSoundDevices(): Promise<void> {
  const media = navigator.mediaDevices as MediaDevices | undefined
  const all = (await media?.enumerateDevices().catch(() => [])) ?? []
  $soundDevices.set({
    ...$soundDevices.get(),
    microphone: choiceAmong('microphone', all),
    speaker: choiceAmong('speaker', all),
  })
}

/** Keeps the list up to date while it is shown. @returns stops following */
export function followSoundDevices(): () => void {
  const look = () => void lookAtSoundDevices()
  look()
  const media = navigator.mediaDevices as MediaDevices | undefined
  media?.addEventListener('devicechange', look)
  return () => media?.removeEventListener('devicechange', look)
}

/** Changes run one at a time, so that the call ends up with the last one. */
const changes: Record<SoundKind, Promise<unknown>> = {
  microphone: Promise.resolve(),
  speaker: Promise.resolve(),
}

/** @param device null for the system's choice @returns whether the call uses it; true without a call */
export async function chooseSound(kind: SoundKind, device: SoundDevice | null): Promise<boolean> {
  keepChosenSound(kind, device)
  const { [kind]: choice } = $soundDevices.get()
  $soundDevices.set({ ...$soundDevices.get(), [kind]: { ...choice, used: device, missing: null } })
  const change = changes[kind].then(() => callLine.changeSound(kind, device?.id))
  changes[kind] = change.catch(() => undefined)
  return change
}
