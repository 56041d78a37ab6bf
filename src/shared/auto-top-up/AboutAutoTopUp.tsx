import { useStore } from '@nanostores/react'
import { Check, CreditCard } from 'lucide-react'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { defaultUsd, isPayable } from '#lib/money/credit-amounts.ts'
import { formatBalance, microUsdPerUsd } from '#lib/money/money.ts'
import { $user } from '#session/user.ts'
import { Dialog } from '#ui/Dialog.tsx'
import styles from './auto-top-up.module.css'

export interface AboutAutoTopUpProps {
  /** US dollars for the drawing; null when no amount is chosen. */
  readonly usd: number | null
  readonly onClose: () => void
}

const mark = formatBalance(lowBalanceMicroUsd)
const promises = [
  'The amount is the one you last bought',
  'You get a receipt by e-mail each time',
  'Switch it off here whenever you like',
]

export function AboutAutoTopUp({ usd, onClose }: AboutAutoTopUpProps) {
  const hasCard = useStore($user)?.hasSavedPaymentMethod === true
  return (
    <Dialog
      title="About Auto Top-Up"
      onClose={onClose}
      footer={
        <button type="button" className="btn primary" onClick={onClose}>
          Got it
        </button>
      }
    >
      <StepPlot figure={formatBalance((isPayable(usd) ? usd : defaultUsd) * microUsdPerUsd)} />
      <p>
        When your balance falls to {mark}, we charge your saved card, so your call isn't cut off. If that
        fails, we'll e-mail you, and the call ends when your credits run out.
      </p>
      <ul className="tips">
        {promises.map(promise => (
          <li key={promise} className="tick">
            <Check className="i" aria-hidden="true" />
            {promise}
          </li>
        ))}
      </ul>
      <p className="note">
        <CreditCard className="i" aria-hidden="true" />
        <span>
          {hasCard
            ? 'We use the card from your last purchase with auto top-up on.'
            : "A purchase with auto top-up on saves the card. Until then, we can't charge anything."}{' '}
          <a href="/terms#auto-top-up">The terms have the details.</a>
        </span>
      </p>
    </Dialog>
  )
}

/** The balance falls during calls and rises when it reaches the threshold. */
function StepPlot({ figure }: { readonly figure: string }) {
  return (
    <div className={styles['plot']}>
      <svg
        width="320"
        height="132"
        viewBox="0 0 320 132"
        role="img"
        aria-label={`The balance falls as you talk. When it reaches ${mark}, ${figure} is added.`}
      >
        <path className={styles['mark']} d="M0 108h320" />
        <path
          className={styles['steps']}
          d="M0 40h30v14h26v14h22v14h24v14h20v12h14V28h40v14h24v14h26v14h26v14h24v8h44"
        />
        <circle cx="136" cy="108" r="5" />
        <path className={styles['rise']} d="M136 100V36m-5 6 5-8 5 8" />
        <text x="318" y="126">
          {mark}
        </text>
        <text className={styles['charge']} x="146" y="22">
          + {figure} from your card
        </text>
      </svg>
    </div>
  )
}
