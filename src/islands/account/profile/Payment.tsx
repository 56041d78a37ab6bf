import { useStore } from '@nanostores/react'
import { ArrowRight, CreditCard, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Profile } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { formatBalance } from '#lib/money/money.ts'
import { AutoTopUp } from '#shared/auto-top-up/AutoTopUp.tsx'
import { $autoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import styles from './profile.module.css'
import { RemoveCardDialog } from './RemoveCardDialog.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'
import { cardText } from './wording.ts'

export function Payment({ profile }: { readonly profile: Profile }) {
  const [removing, setRemoving] = useState(false)
  const history = useRef<HTMLAnchorElement>(null)
  const { savedCard } = profile
  return (
    <Section id="profile-payment" title={texts.payment}>
      {savedCard === null ? (
        <p className={styles['nothing']}>
          {texts.noCard({
            buy: label => (
              <a key="buy" href={localPath('/buy-credits')}>
                {label}
              </a>
            ),
          })}
        </p>
      ) : (
        <Card card={cardText(savedCard)} onRemove={() => setRemoving(true)} />
      )}
      <div className={styles['topup']}>
        {savedCard !== null && <AutoTopUp usd={null} />}
        <a ref={history} className="more" href={localPath('/billing-history')}>
          {texts.billingHistory} <ArrowRight className="i" aria-hidden="true" />
        </a>
      </div>
      {removing && savedCard !== null && (
        <RemoveCardDialog
          card={cardText(savedCard)}
          onClose={() => {
            setRemoving(false)
            // The button that opened the dialog disappears with the card.
            keepFocus(history)
          }}
        />
      )}
    </Section>
  )
}

function Card({ card, onRemove }: { readonly card: string; readonly onRemove: () => void }) {
  const on = useStore($autoTopUp)
  return (
    <ul className="rows">
      <li>
        <CreditCard className="i" aria-hidden="true" />
        <div>
          <b className="num">{card}</b>
          <small>
            {on ? texts.chargedAt({ balance: formatBalance(lowBalanceMicroUsd) }) : texts.neverCharged}
          </small>
        </div>
        <button
          type="button"
          className="tap"
          aria-label={texts.removeCardNamed({ card })}
          aria-haspopup="dialog"
          onClick={onRemove}
        >
          <Trash2 className="i" aria-hidden="true" />
        </button>
      </li>
    </ul>
  )
}
