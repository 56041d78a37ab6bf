import { GrowingText } from '#ui/GrowingText.tsx'
import type { TypedText } from '#voice/t140.ts'
import styles from './real-time-text.module.css'
import { texts } from './texts.ts'

export interface ConversationProps {
  readonly typed: TypedText
  /** The other side's, as the call shows it. */
  readonly name: string
}

/** Both sides' lines, in the order in which they were begun. */
export function Conversation({ typed, name }: ConversationProps) {
  return (
    <GrowingText label={texts.conversation({ name })} className={styles['lines']}>
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
    </GrowingText>
  )
}
