import { Share2 } from 'lucide-react'
import styles from './share-call.module.css'
import { openCard, type SharedCall } from './share-call.ts'
import { texts } from './texts.ts'

export const shareButtonId = 'share-call'

/** Opens the card of a call that can be shared. */
export function ShareCallButton(call: SharedCall) {
  return (
    <button
      type="button"
      id={shareButtonId}
      className={styles['open']}
      aria-haspopup="dialog"
      onClick={() => openCard(call)}
    >
      <Share2 className="i" aria-hidden="true" />
      {texts.share}
    </button>
  )
}
