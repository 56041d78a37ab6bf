import { useStore } from '@nanostores/react'
import { Grip, Info, MicOff, RefreshCw, TriangleAlert } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { isAnswered } from '#voice/call.ts'
import { $notice } from '../notice.ts'
import { chosenSound } from '../sound/chosen-sound.ts'
import { TopUpDuringCall } from '../top-up/TopUpButton.tsx'
import { keypadButtonId } from './Actions.tsx'
import { $call, $digits, callLine } from './call.ts'
import { callNote } from './call-note.ts'
import { $lastMinute } from './last-minute.ts'
import { $quality } from './line-quality.ts'
import { $lowCredits } from './low-credits.ts'
import { $asksMicrophone } from './microphone-prompt.ts'
import { texts } from './texts.ts'

const icons = {
  warning: TriangleAlert,
  info: Info,
  reconnecting: RefreshCw,
  digits: Grip,
  muted: MicOff,
} as const

/** The status line's message in a call, in the live region of this role. */
export function CallNote({ role }: { readonly role: 'alert' | 'status' }) {
  const call = useStore($call)
  const note = callNote({
    call,
    digits: useStore($digits),
    quality: useStore($quality),
    lowCredits: useStore($lowCredits),
    notToppedUp: useStore($notice)?.about === 'top_up',
    lastMinute: useStore($lastMinute),
    asksMicrophone: useStore($asksMicrophone),
  })
  if (note?.role !== role) return null
  const Icon = icons[note.icon]
  return (
    <div className={`note ${note.tone === 'info' ? '' : note.tone}`}>
      <Icon className="i" aria-hidden="true" />
      {note.spoken === undefined ? (
        <span>{note.text}</span>
      ) : (
        <>
          <span className="sr">{note.spoken}</span>
          <span aria-hidden="true">{note.text}</span>
        </>
      )}
      {note.action === 'cancel_digits' && <CancelDigits />}
      {note.action === 'resume' && (
        <button type="button" onClick={resumeSound}>
          {texts.resume}
        </button>
      )}
      {note.action === 'top_up' && isAnswered(call) && <TopUpDuringCall call={call} />}
    </div>
  )
}

/** Opens the microphone again; the speaker resumes at any press (src/voice/interruption-watch.ts). */
function resumeSound(): void {
  void callLine.changeSound('microphone', chosenSound('microphone')?.id)
}

/** Goes away when the digits are sent or cancelled; the focus must not go with it. */
function CancelDigits() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement === element) document.getElementById(keypadButtonId)?.focus()
    }
  }, [])
  return (
    <button ref={button} type="button" onClick={callLine.cancelDigits}>
      {texts.cancel}
    </button>
  )
}
