import { X } from 'lucide-react'
import { aroundTexts } from './around-texts.ts'
import { dismissNotice } from './notice.ts'
import { SendAgain } from './SendAgain.tsx'
import type { StatusMessage } from './status-message.ts'
import { TopUpForCall } from './top-up/TopUpButton.tsx'

interface NoteActionProps {
  readonly action: StatusMessage['action']
  readonly onHelp: () => void
}

/** What can be done about a message between calls. */
export function NoteAction({ action, onHelp }: NoteActionProps) {
  switch (action) {
    case 'dismiss':
      return (
        <button type="button" aria-label={aroundTexts.dismiss} onClick={dismissNotice}>
          <X className="i" aria-hidden="true" />
        </button>
      )
    case 'send_again':
      return <SendAgain />
    case 'top_up':
      return <TopUpForCall />
    case 'microphone_help':
      return (
        <button type="button" onClick={onHelp}>
          {aroundTexts.how}
        </button>
      )
    case null:
      return null
    default:
      return action satisfies never
  }
}
