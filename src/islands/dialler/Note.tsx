import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { localPath } from '#lib/i18n/path.ts'
import { $call } from './call/call.ts'
import type { StatusMessage } from './status-message.ts'
import { linkTexts } from './texts.ts'
import { useLazyDialler } from './use-lazy-dialler.ts'

const icons = { info: Info, warn: TriangleAlert, bad: CircleAlert } as const

export interface NoteProps {
  readonly message: StatusMessage
  readonly onHelp: () => void
}

export function Note({ message, onHelp }: NoteProps) {
  const lazy = useLazyDialler(false)
  if (message.spokenOnly) return <span className="sr">{message.text}</span>
  const Icon = icons[message.tone]
  return (
    <div className={`note ${message.tone === 'info' ? '' : message.tone}`}>
      <Icon className="i" aria-hidden="true" />
      {message.spoken && <span className="sr">{message.spoken}</span>}
      <span aria-hidden={message.spoken ? true : undefined}>
        <NoteText text={message.text} />
      </span>
      {lazy && <lazy.NoteAction action={message.action} onHelp={onHelp} />}
    </div>
  )
}

/** Fills in the support form: the last call by its id, and the message after the hash, which no server needs. */
function supportHref(text: string): string {
  const call = $call.get()
  const query = 'callId' in call && call.callId !== null ? `?call=${call.callId}` : ''
  return localPath(`/support${query}#${new URLSearchParams({ happened: text })}`)
}

/** The text of a message; places in it become links. */
function NoteText({ text }: { readonly text: string }) {
  const links = [
    [linkTexts.support, supportHref],
    [linkTexts.profile, () => localPath('/profile#spending')],
  ] as const
  for (const [linkText, hrefOf] of links) {
    const [before, after] = text.split(linkText)
    if (after !== undefined)
      return (
        <>
          {before}
          <a href={hrefOf(text)}>{linkText}</a>
          {after}
        </>
      )
  }
  return text
}
