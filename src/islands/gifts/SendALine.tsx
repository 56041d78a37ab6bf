import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { openDraft } from './draft.ts'
import { GiftForm } from './GiftForm.tsx'
import { SentGifts } from './SentGifts.tsx'
import styles from './send-a-line.module.css'
import { $justPaid, comeBack, loadSent } from './sent-gifts.ts'

/** Rendered in the browser only: the form begins with what was written before. */
export function SendALine() {
  useState(openDraft)
  const justPaid = useStore($justPaid)
  useEffect(() => {
    void comeBack()
    // The page may come from the back/forward cache with an old list.
    const refreshStale = (event: PageTransitionEvent) => {
      if (event.persisted) void loadSent()
    }
    window.addEventListener('pageshow', refreshStale)
    return () => window.removeEventListener('pageshow', refreshStale)
  }, [])
  const form = (
    <div key="form" className="noprint">
      <GiftForm />
    </div>
  )
  const sent = <SentGifts key="sent" />
  return <div className={styles['whole']}>{justPaid === null ? [form, sent] : [sent, form]}</div>
}
