import { useStore } from '@nanostores/react'
import { Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { company } from '#lib/company.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { newCustomerSpendUsd, reviewAboveUsd } from '#lib/money/credits.ts'
import { formatBalance } from '#lib/money/money.ts'
import { $autoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useLate } from '#ui/use-late.ts'
import styles from './buy-credits.module.css'
import { newCustomerText, reviewText } from './wording.ts'

interface CheckoutButtonProps {
  readonly opening: boolean
  readonly disabled: boolean
  /** US dollars; null when no amount is chosen. */
  readonly usd: number | null
}

export function CheckoutButton({ opening, disabled, usd }: CheckoutButtonProps) {
  const autoTopUp = useStore($autoTopUp, { ssr: 'initial' })
  const slow = useLate(opening)
  const place = useRef<HTMLDivElement>(null)
  const asked = useRef(false)
  // A disabled button loses the focus. Restore it when the checkout did not open.
  useEffect(() => {
    if (opening) asked.current = true
    else if (asked.current) {
      asked.current = false
      if (document.activeElement === document.body) place.current?.querySelector('button')?.focus()
    }
  }, [opening])
  const isLarge = usd !== null && usd > reviewAboveUsd
  return (
    <div ref={place} className={styles['pay']}>
      {isLarge && <p className="note">{reviewText(usd)}</p>}
      <SubmitButton
        label="Secure Checkout"
        slowLabel="Opening the checkout…"
        slow={slow}
        disabled={disabled}
        icon={<Lock className="i" aria-hidden="true" />}
      />
      <p>
        By paying, you ask us to start at once, before the 14 days to cancel are over. If you cancel, you pay
        for the calls made until then. We refund what you haven't used: see our{' '}
        <a href="/refunds">7-day money-back guarantee</a>.
      </p>
      {autoTopUp && (
        <p>
          Auto top-up is on: you let us keep this card and charge it the same amount when calls take your
          balance to {formatBalance(lowBalanceMicroUsd)} or less, until you switch it off.
        </p>
      )}
      <p>
        You enter your card on our payment provider’s page. {company.name} never sees the number.
        {!isLarge && ` ${reviewText(usd)}`}
        {usd !== null && usd > newCustomerSpendUsd && ` ${newCustomerText}`}
      </p>
    </div>
  )
}
