import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import { Conversation } from './Conversation.tsx'
import styles from './real-time-text.module.css'
import { type TextTalk, transcript } from './text-talk.ts'
import { texts } from './texts.ts'

export interface EndedTextProps {
  readonly talk: TextTalk
  /** The other side's, as the call showed it. */
  readonly name: string
}

/** What was typed in the call that has just ended; nothing if nobody typed. */
export function EndedText({ talk, name }: EndedTextProps) {
  const { typed } = useStore(talk.$text)
  const [said, setSaid] = useState('')
  const title = useId()
  if (typed.every(({ text }) => text === '')) return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(transcript(typed, { own: texts.you, theirs: name }))
      setSaid(texts.copied)
    } catch {
      setSaid(texts.notCopied)
    }
  }
  return (
    <section className={styles['left']} aria-labelledby={title}>
      <h3 id={title}>{texts.afterCall}</h3>
      <Conversation typed={typed} name={name} />
      <p className="small soft">{texts.leaving}</p>
      <p className={`small ${styles['copy']}`}>
        <button type="button" className="btn" onClick={() => void copy()}>
          {texts.copy}
        </button>
        <span role="status">{said}</span>
      </p>
    </section>
  )
}
