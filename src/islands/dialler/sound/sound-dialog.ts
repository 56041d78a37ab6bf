import { atom } from 'nanostores'

export type SoundDialogKind = 'devices' | 'check'

export const $soundDialog = atom<SoundDialogKind | null>(null)

export function openSoundDialog(kind: SoundDialogKind): void {
  $soundDialog.set(kind)
}

export function closeSoundDialog(): void {
  $soundDialog.set(null)
}
