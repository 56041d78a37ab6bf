import { Dialog } from '#ui/Dialog.tsx'
import { texts } from './texts.ts'

/** How to allow the microphone again, in terms that apply to every browser. */
export function MicrophoneHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={texts.microphoneHelp} onClose={onClose}>
      <p>{texts.microphoneWhy}</p>
      <ol className="steps3">
        <li>{texts.microphoneFirst}</li>
        <li>{texts.microphoneSecond}</li>
        <li>{texts.microphoneThird}</li>
      </ol>
      <p className="soft small">{texts.microphoneBlocked}</p>
    </Dialog>
  )
}
