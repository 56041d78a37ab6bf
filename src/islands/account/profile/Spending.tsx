import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { Spending as SpendingTerms } from '#lib/api/spending.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { $spending, loadSpending } from '#shared/spending.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { CapsForm } from './CapsForm.tsx'
import { LockedCountries } from './LockedCountries.tsx'
import { limits } from './limit-texts.ts'
import { Missed } from './Missed.tsx'
import styles from './profile.module.css'
import { RowsLoading } from './RowsLoading.tsx'
import { Section } from './Section.tsx'
import { dayOf } from './wording.ts'

/** Target of links from messages about a cap: `/profile#spending`. */
const sectionId = 'spending'

export function Spending() {
  const shown = useStore($spending)
  const region = useRef<HTMLDivElement>(null)
  const ready = shown.state === 'ready'
  useEffect(() => {
    const load = () => void loadSpending()
    const comeBack = () => document.visibilityState === 'visible' && load()
    const restore = (event: PageTransitionEvent) => event.persisted && load()
    load()
    // Another page may have changed the limits.
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('pageshow', restore)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('pageshow', restore)
    }
  }, [])
  // The browser looked for the hash before the section was rendered.
  useEffect(() => {
    if (ready && window.location.hash === `#${sectionId}`)
      document.getElementById(sectionId)?.scrollIntoView({ block: 'start' })
  }, [ready])
  return (
    <Section id={sectionId} title={limits.title} about={limits.about}>
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {shown.state === 'loading' && <RowsLoading label={limits.loading} />}
        {shown.state === 'failed' && (
          <Missed message={shown.message} onRetry={() => void loadSpending().then(() => keepFocus(region))} />
        )}
        {shown.state === 'ready' && (
          <div className={styles['limits']}>
            {shown.value.newAccount !== null && <NewAccount terms={shown.value.newAccount} />}
            <CapsForm spending={shown.value} />
            <LockedCountries locked={shown.value.locked} />
          </div>
        )}
      </div>
    </Section>
  )
}

interface NewAccountProps {
  readonly terms: NonNullable<SpendingTerms['newAccount']>
}

/** Why calls end so early, and until when. */
function NewAccount({ terms: { maxCallMinutes, endsAt, payUsd, days } }: NewAccountProps) {
  return (
    <p className="soft small">
      {endsAt === null
        ? limits.newAccount({ minutes: maxCallMinutes, amount: formatCharge(usdToMicroUsd(payUsd)), days })
        : limits.newAccountUntil({ minutes: maxCallMinutes, date: dayOf(new Date(endsAt)) })}
    </p>
  )
}
