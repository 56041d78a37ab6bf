import { useStore } from '@nanostores/react'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { FormNote } from '#ui/FormNote.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { saveFile } from '#ui/save-file.ts'
import { $dataExport, fetchData, stopFetchingData } from './data-export.ts'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { Section } from './Section.tsx'
import { sizeText } from './wording.ts'

export function YourData() {
  const shown = useStore($dataExport)
  const fetching = shown.state === 'fetching'
  const [stopped, setStopped] = useState(false)
  const start = useRef<HTMLButtonElement>(null)
  // The cancel button disappears when the download ends, for whatever reason.
  useEffect(() => {
    if (!fetching) return
    return () => keepFocus(start)
  }, [fetching])
  const fetchAll = () => {
    setStopped(false)
    void fetchData(saveFile, new Date())
  }
  const stop = () => {
    setStopped(true)
    stopFetchingData()
  }
  const outcome = shown.state === 'done' ? 'Saved to Downloads.' : 'Download stopped.'
  return (
    <Section
      id="profile-data"
      title="Your data"
      about="Everything we keep about you, from your details to your calls and payments, as JSON and CSV in one zip file."
    >
      <FormNote message={shown.state === 'failed' ? shown.message : null} />
      <div className={styles['done']}>
        <button
          ref={start}
          type="button"
          className="btn"
          aria-disabled={fetching || undefined}
          onClick={fetchAll}
        >
          <Download className="i" aria-hidden="true" />
          {fetching ? 'Downloading…' : 'Download your data'}
        </button>
        {fetching && (
          <>
            <progress
              className={styles['progress']}
              aria-label="Download"
              {...(shown.total === null ? {} : { max: shown.total, value: shown.bytes })}
            />
            <span className="num small soft">{sizeText(shown.bytes)}</span>
            <button type="button" className="btn plain" onClick={stop}>
              Stop
            </button>
          </>
        )}
        <Outcome message={shown.state === 'done' || (shown.state === 'idle' && stopped) ? outcome : null} />
      </div>
      <p className="sr" role="status">
        {fetching && 'Downloading your data'}
      </p>
    </Section>
  )
}
