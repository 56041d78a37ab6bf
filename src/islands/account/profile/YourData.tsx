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
import { texts } from './texts.ts'
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
  const outcome = shown.state === 'done' ? texts.downloaded : texts.stopped
  return (
    <Section id="profile-data" title={texts.data} about={texts.aboutData}>
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
          {fetching ? texts.downloading : texts.download}
        </button>
        {fetching && (
          <>
            <progress
              className={styles['progress']}
              aria-label={texts.progress}
              {...(shown.total === null ? {} : { max: shown.total, value: shown.bytes })}
            />
            <span className="num small soft">{sizeText(shown.bytes)}</span>
            <button type="button" className="btn plain" onClick={stop}>
              {texts.stop}
            </button>
          </>
        )}
        <Outcome message={shown.state === 'done' || (shown.state === 'idle' && stopped) ? outcome : null} />
      </div>
      <p className="sr" role="status">
        {fetching && texts.downloadingData}
      </p>
    </Section>
  )
}
