import { useStore } from '@nanostores/react'
import { Captions } from 'lucide-react'
import { captionTexts } from './caption-texts.ts'
import { callCaptions } from './dialler-captions.ts'

export const captionsButtonId = 'captions-button'

/** Nothing where the browser cannot recognise speech on the device. */
export function CaptionsButton() {
  const { state } = useStore(callCaptions.$captions)
  if (state !== 'offered') return null
  return (
    <button id={captionsButtonId} type="button" className="btn" onClick={() => void callCaptions.turnOn()}>
      <Captions className="i" aria-hidden="true" />
      {captionTexts.open}
    </button>
  )
}
