import { useStore } from '@nanostores/react'
import { CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { company } from '#lib/company.ts'
import { useLate } from '#ui/use-late.ts'
import { HowItGoes } from './HowItGoes.tsx'
import { OwnLink } from './OwnLink.tsx'
import { People } from './People.tsx'
import styles from './referrals.module.css'
import { $referrals, openReferrals } from './referrals.ts'
import { texts } from './texts.ts'

export function Referrals() {
  const referrals = useStore($referrals)
  useEffect(() => {
    void openReferrals()
    // The page may come from the back/forward cache without recent referrals.
    const refreshStale = (event: PageTransitionEvent) => {
      if (event.persisted) void openReferrals()
    }
    window.addEventListener('pageshow', refreshStale)
    return () => window.removeEventListener('pageshow', refreshStale)
  }, [])

  return (
    <>
      <div className="reftop">
        <div>
          <div className="top1 flush">
            <h1>{texts.title}</h1>
            <p>{texts.lede({ company: company.name })}</p>
          </div>
          {referrals.state === 'ready' && <OwnLink link={referrals.value.link} />}
          {referrals.state === 'loading' && <Waiting />}
          {referrals.state === 'failed' && (
            <div className={styles.failure} role="alert">
              <p className="note bad">
                <CircleAlert className="i" />
                {referrals.message}
              </p>
              <button type="button" className="btn" onClick={() => void openReferrals()}>
                {texts.tryAgain}
              </button>
            </div>
          )}
        </div>
        <Pair />
      </div>
      {referrals.state === 'ready' && (
        <>
          {referrals.value.joined > 0 && <People {...referrals.value} />}
          <HowItGoes {...referrals.value} />
        </>
      )}
    </>
  )
}

function Waiting() {
  const noticed = useLate()
  return (
    <div className={`field ${styles.link}`}>
      <p className="sr" role="status">
        {noticed && texts.loading}
      </p>
      <div className={`skel ${styles.waiting}`} aria-hidden="true">
        {noticed && (
          <>
            <i className={styles.label} />
            <i className={styles.line} />
          </>
        )}
      </div>
    </div>
  )
}

function Pair() {
  return (
    <div className={`pair ${styles.pair}`} aria-hidden="true">
      {[texts.you, texts.friend].map(whose => (
        <div key={whose} className="stamp">
          <div className="plate">
            <img src="/art/wires-pair.svg" alt="" width="400" height="200" loading="lazy" />
            <b>{whose}</b>
          </div>
        </div>
      ))}
    </div>
  )
}
