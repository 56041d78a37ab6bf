import { useStore } from '@nanostores/react'
import { Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { newCustomerSpendUsd, reviewAboveUsd } from '#lib/money/credits.ts'
import { formatBalance } from '#lib/money/money.ts'
import { $autoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useLate } from '#ui/use-late.ts'
import styles from './buy-credits.module.css'
import { texts } from './texts.ts'
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
        label={checkout.secure}
        slowLabel={checkout.opening}
        slow={slow}
        disabled={disabled}
        icon={<Lock className="i" aria-hidden="true" />}
      />
      <p>
        {texts.consent({
          refunds: label => (
            <a key="refunds" href={localPath('/refunds')}>
              {label}
            </a>
          ),
        })}
      </p>
      {autoTopUp && <p>{texts.autoTopUpOn({ balance: formatBalance(lowBalanceMicroUsd) })}</p>}
      <p>
        {texts.card({ company: company.name })}
        {!isLarge && ` ${reviewText(usd)}`}
        {usd !== null && usd > newCustomerSpendUsd && ` ${newCustomerText()}`}
      </p>
    </div>
  )
}
