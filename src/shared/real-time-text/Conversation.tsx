import { useLayoutEffect, useRef } from 'react'
import type { TypedText } from '#voice/t140.ts'
import styles from './real-time-text.module.css'
import { texts } from './texts.ts'

export interface ConversationProps {
  readonly typed: TypedText
  /** The other side's, as the call shows it. */
  readonly name: string
}

/** How far from its end, in pixels, the conversation still counts as read to the end. */
const nearEndPx = 48

/** Both sides' lines, in the order in which they were begun. Its end stays in view unless the user has scrolled back. */
export function Conversation({ typed, name }: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight
  }, [typed])
  const noteScroll = () => {
    const element = scroller.current
    if (element === null) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups text, not fields.
    <div
      ref={scroller}
      className={styles['lines']}
      role="group"
      aria-label={texts.conversation({ name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      onScroll={noteScroll}
    >
      {typed.map(
        ({ side, text }, index) =>
          text !== '' && (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and hold no state.
            <p key={index} className={styles[side]}>
              <b className="small">
                <bdi>{side === 'own' ? texts.you : name}</bdi>
              </b>
              <span dir="auto">{text}</span>
            </p>
          ),
      )}
    </div>
  )
}
