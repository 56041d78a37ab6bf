import { useStore } from '@nanostores/react'
import { Headphones } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { isLive } from '#voice/call.ts'
import { aroundTexts } from '../around-texts.ts'
import { $call } from '../call/call.ts'
import styles from './line-check.module.css'
import { $soundDialog, closeSoundDialog, openSoundDialog } from './sound-dialog.ts'

/** Opens the sound dialog, before and during a call; the line check is reached from there. */
export function SoundButton() {
  return (
    <>
      <button
        type="button"
        className={`tap ${styles['way']}`}
        aria-label={aroundTexts.sound}
        aria-haspopup="dialog"
        onClick={() => openSoundDialog('devices')}
      >
        <Headphones className="i" aria-hidden="true" />
      </button>
      <SoundDialogs />
    </>
  )
}

type Loaded = typeof import('./dialogs.ts')

/** A call that begins closes the line check, because the check uses the microphone and the connection. */
function SoundDialogs() {
  const open = useStore($soundDialog)
  const live = isLive(useStore($call))
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  useEffect(() => {
    if (open === null || loaded !== null) return
    import('./dialogs.ts').then(setLoaded, (error: unknown) => {
      closeSoundDialog()
      // The page deals with a piece that does not load (SPEC-2.19).
      console.error('The dialogs about sound did not load.', error)
    })
  }, [open, loaded])
  useEffect(() => {
    if (live && open === 'check') closeSoundDialog()
  }, [live, open])

  if (open === null || loaded === null || (live && open === 'check')) return null
  const Opened: ComponentType = open === 'check' ? loaded.LineCheckDialog : loaded.SoundDialog
  // Rendered in the body: the styles of the line above the phone must not apply to dialogs.
  return createPortal(<Opened key={open} />, document.body)
}
