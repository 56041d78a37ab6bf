import { Dialog } from '#ui/Dialog.tsx'

/** How to allow the microphone again, in terms that apply to every browser. */
export function MicrophoneHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Allow the microphone" onClose={onClose}>
      <p>The person you call hears you through your microphone, so we can't start the call without it.</p>
      <ol className="steps3">
        <li>Choose the icon at the left end of the address bar.</li>
        <li>Find Microphone there and set it to Allow.</li>
        <li>Come back to this page and press Call again.</li>
      </ol>
      <p className="soft small">
        If it's allowed but still blocked, check the microphone in your device's privacy settings.
      </p>
    </Dialog>
  )
}
