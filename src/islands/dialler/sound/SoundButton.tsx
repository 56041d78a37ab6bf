import { Headphones } from 'lucide-react'
import styles from './line-check.module.css'
import { SoundDialogs } from './SoundDialogs.tsx'
import { openSoundDialog } from './sound-dialog.ts'

/** Opens the sound dialog, before and during a call; the line check is reached from there. */
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
