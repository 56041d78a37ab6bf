import { useStore } from '@nanostores/react'
import { MessageSquareText } from 'lucide-react'
import styles from './real-time-text.module.css'
import type { TextTalk } from './text-talk.ts'
import { texts } from './texts.ts'

export const textButtonId = 'text-button'

export interface TextButtonProps {
  readonly talk: TextTalk
  readonly onOpen?: () => void
}

/** Opens the pane; shows the other side's first characters meanwhile. Nothing where the other end shows no text. */
export function TextButton({ talk, onOpen }: TextButtonProps) {
  const { offered, typed, unread } = useStore(talk.$text)
  if (!offered) return null
  const open = () => {
    talk.setOpen(true)
    onOpen?.()
  }
  const last = typed.findLast(({ side }) => side === 'theirs')?.text
  return (
    <div className={styles['offer']}>
      <p className="sr" role="status">
        {unread && texts.typing}
      </p>
      {unread && (
        <p className="note" aria-hidden="true">
          <MessageSquareText className="i" />
          <span className={styles['first']} dir="auto">
            {last}
          </span>
        </p>
      )}
      <button id={textButtonId} type="button" className="btn" onClick={open}>
        {!unread && <MessageSquareText className="i" aria-hidden="true" />}
        {unread ? texts.read : texts.open}
      </button>
    </div>
  )
}
