import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { $spending, loadSpending } from '#shared/spending.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { CapsForm } from './CapsForm.tsx'
import { LockedCountries } from './LockedCountries.tsx'
import { Missed } from './Missed.tsx'
import styles from './profile.module.css'
import { RowsLoading } from './RowsLoading.tsx'
import { Section } from './Section.tsx'

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
    <Section
      id={sectionId}
      title="Spending"
      about="Limits you set. They apply to every call, whatever auto top-up buys. Calls end after 60 minutes while your account is new: under 7 days or under $25 paid."
    >
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {shown.state === 'loading' && <RowsLoading label="Loading your limits" />}
        {shown.state === 'failed' && (
          <Missed message={shown.message} onRetry={() => void loadSpending().then(() => keepFocus(region))} />
        )}
        {shown.state === 'ready' && (
          <div className={styles['limits']}>
            <CapsForm spending={shown.value} />
            <LockedCountries locked={shown.value.locked} />
          </div>
        )}
      </div>
    </Section>
  )
}
