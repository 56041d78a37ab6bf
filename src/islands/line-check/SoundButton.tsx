import { Headphones } from 'lucide-react'
import { openSoundDialog } from '#stores/sound-dialog.ts'
import styles from './line-check.module.css'
import { SoundDialogs } from './SoundDialogs.tsx'

/** The quiet way in to sound: its devices, before and in a call, and from there the check of the line. */
export function SoundButton() {
  return (
    <>
      <button
        type="button"
        className={`tap ${styles['way']}`}
        aria-label="Sound"
        aria-haspopup="dialog"
        onClick={() => openSoundDialog('devices')}
      >
        <Headphones className="i" aria-hidden="true" />
      </button>
      <SoundDialogs />
    </>
  )
}
