import { useStore } from '@nanostores/react'
import { isLive } from '#lib/rules/call.ts'
import { $call } from '#stores/call.ts'
import { openSoundDialog } from '#stores/sound-dialog.ts'

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
