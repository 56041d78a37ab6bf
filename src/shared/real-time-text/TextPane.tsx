import { useStore } from '@nanostores/react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { PaneHeader } from '#ui/PaneHeader.tsx'
import { openLine } from '#voice/t140.ts'
import { Conversation } from './Conversation.tsx'
import styles from './real-time-text.module.css'
import { textButtonId } from './TextButton.tsx'
import type { TextTalk } from './text-talk.ts'
import { texts } from './texts.ts'

export interface TextPaneProps {
  readonly talk: TextTalk
  /** The other side's, as the call shows it. */
  readonly name: string
  /** Beside the name, such as the time in the call. */
  readonly aside?: ReactNode
}

/** Where both sides of an answered call type; the line being typed stands in the field. */
export function TextPane({ talk, name, aside }: TextPaneProps) {
  const { typed, full, phrase } = useStore(talk.$text)
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  useLayoutEffect(() => field.current?.focus(), [])

  const close = () => {
    flushSync(() => talk.setOpen(false))
    document.getElementById(textButtonId)?.focus()
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    close()
  }

  const own = openLine(typed, 'own')
  const last = typed.findLastIndex(({ side }) => side === 'own')
  const shown = own === '' ? typed : typed.toSpliced(last, 1)
  return (
    <section className={styles['pane']} aria-label={texts.conversation({ name })} onKeyDown={closeOnEscape}>
      <PaneHeader name={name} aside={aside} closeLabel={texts.close} onClose={close} />
      <Conversation typed={shown} name={name} />
      {/* Whole phrases: read out at each character, nobody could follow. */}
      <p className="sr" aria-live="polite">
        <span key={phrase.count} dir="auto">
          {phrase.text}
        </span>
      </p>
      <textarea
        ref={field}
        className="input"
        rows={2}
        dir="auto"
        autoComplete="off"
        aria-label={texts.field({ name })}
        aria-describedby={hint}
        placeholder={texts.field({ name })}
        readOnly={full}
        value={own}
        onChange={event => talk.type(event.target.value)}
      />
      <p id={hint} className="small soft" role="status">
        {full ? texts.full : texts.asTyped}
      </p>
    </section>
  )
}
