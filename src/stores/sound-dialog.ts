import { atom } from 'nanostores'

export type SoundDialogKind = 'devices' | 'check'

/** The one of the two dialogs about sound that is open. */
export const $soundDialog = atom<SoundDialogKind | null>(null)

export function openSoundDialog(kind: SoundDialogKind): void {
  $soundDialog.set(kind)
}

export function closeSoundDialog(): void {
  $soundDialog.set(null)
}
