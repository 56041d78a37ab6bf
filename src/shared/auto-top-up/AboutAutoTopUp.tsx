import { useStore } from '@nanostores/react'
import { Check, CreditCard } from 'lucide-react'
import { localPath } from '#lib/i18n/path.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { defaultUsd, isPayable } from '#lib/money/credit-amounts.ts'
import { formatBalance, microUsdPerUsd } from '#lib/money/money.ts'
import { $user } from '#session/user.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { about } from './about-texts.ts'
import styles from './auto-top-up.module.css'

export interface AboutAutoTopUpProps {
  /** US dollars for the drawing; null when no amount is chosen. */
  readonly usd: number | null
  readonly onClose: () => void
}

const mark = () => formatBalance(lowBalanceMicroUsd)

export function AboutAutoTopUp({ usd, onClose }: AboutAutoTopUpProps) {
  const hasCard = useStore($user)?.hasSavedPaymentMethod === true
  return (
    <Dialog
      title={about.title}
      onClose={onClose}
      footer={
        <button type="button" className="btn primary" onClick={onClose}>
          {about.close}
        </button>
      }
    >
      <StepPlot figure={formatBalance((isPayable(usd) ? usd : defaultUsd) * microUsdPerUsd)} />
      <p>{about.when({ balance: mark() })}</p>
      <ul className="tips">
        {[about.sameAmount, about.receipt, about.switchOff].map(promise => (
          <li key={promise} className="tick">
            <Check className="i" aria-hidden="true" />
            {promise}
          </li>
        ))}
      </ul>
      <p className="note">
        <CreditCard className="i" aria-hidden="true" />
        <span>
          {hasCard ? about.savedCard : about.noCard}{' '}
          <a href={localPath('/terms#auto-top-up')}>{about.terms}</a>
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
        aria-label={about.drawing({ balance: mark(), amount: figure })}
      >
        <path className={styles['mark']} d="M0 108h320" />
        <path
          className={styles['steps']}
          d="M0 40h30v14h26v14h22v14h24v14h20v12h14V28h40v14h24v14h26v14h26v14h24v8h44"
        />
        <circle cx="136" cy="108" r="5" />
        <path className={styles['rise']} d="M136 100V36m-5 6 5-8 5 8" />
        <text x="318" y="126">
          {mark()}
        </text>
        <text className={styles['charge']} x="146" y="22">
          {about.fromCard({ amount: figure })}
        </text>
      </svg>
    </div>
  )
}
