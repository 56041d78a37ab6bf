import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { texts } from '#lib/texts.ts'
import { refreshBalance } from './call/balance.ts'
import { dismissNotice } from './notice.ts'
import type { StatusMessage } from './status-message.ts'
import { useLazyDialler } from './use-lazy-dialler.ts'

const icons = { info: Info, warn: TriangleAlert, bad: CircleAlert } as const

export interface NoteProps {
  readonly message: StatusMessage
  readonly onHelp: () => void
}

export function Note({ message, onHelp }: NoteProps) {
  const Icon = icons[message.tone]
  return (
    <div className={`note ${message.tone === 'info' ? '' : message.tone}`}>
      <Icon className="i" aria-hidden="true" />
      <span>
        <NoteText text={message.text} />
      </span>
      <Action action={message.action} onHelp={onHelp} />
    </div>
  )
}

const links = [
  ['Contact support', '/support'],
  ['your profile', '/profile#spending'],
] as const

/** The text of a message; places in it become links. */
function NoteText({ text }: { readonly text: string }) {
  for (const [linkText, href] of links) {
    const [before, after] = text.split(linkText)
    if (after !== undefined)
      return (
        <>
          {before}
          <a href={href}>{linkText}</a>
          {after}
        </>
      )
  }
  return text
}

interface ActionProps extends Pick<NoteProps, 'onHelp'> {
  readonly action: StatusMessage['action']
}

function Action({ action, onHelp }: ActionProps) {
  const lazy = useLazyDialler(false)
  switch (action) {
    case 'dismiss':
      return (
        <button type="button" aria-label="Dismiss" onClick={dismissNotice}>
          <X className="i" aria-hidden="true" />
        </button>
      )
    case 'retry_balance':
      return (
        <button type="button" onClick={() => void refreshBalance()}>
          {texts.dialler.credits_retry}
        </button>
      )
    case 'send_again':
      return lazy && <lazy.SendAgain />
    case 'microphone_help':
      return (
        <button type="button" onClick={onHelp}>
          How
        </button>
      )
    case null:
      return null
    default:
      return action satisfies never
  }
}
