import { Dialog } from '#ui/Dialog.tsx'
import { texts } from './microphone-help-texts.ts'

/** How to allow the microphone again, in terms that apply to every browser. */
export function MicrophoneHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>{texts.why}</p>
      <ol className="steps3">
        <li>{texts.first}</li>
        <li>{texts.second}</li>
        <li>{texts.third}</li>
      </ol>
      <p className="soft small">{texts.blocked}</p>
    </Dialog>
  )
}
