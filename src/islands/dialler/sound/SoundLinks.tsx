import { useStore } from '@nanostores/react'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { openSoundDialog } from './sound-dialog.ts'

/** The text link to the line check, shown where there is space beside the phone. */
export function SoundLinks() {
  if (isLive(useStore($call))) return null
  return (
    <p>
      <button type="button" className="btn plain small" onClick={() => openSoundDialog('check')}>
        Check your line
      </button>
    </p>
  )
}
