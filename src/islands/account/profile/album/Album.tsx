import { useStore } from '@nanostores/react'
import { ArrowRight } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Album as AlbumRecord } from '#lib/api/album.ts'
import { localPath } from '#lib/i18n/path.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { useLate } from '#ui/use-late.ts'
import { Missed } from '../Missed.tsx'
import sections from '../profile.module.css'
import styles from './album.module.css'
import { $album, loadAlbum } from './album.ts'
import { CancelledStamp } from './CancelledStamp.tsx'
import { EmptyPlace, type SuggestedCountry } from './EmptyPlace.tsx'
import { texts } from './texts.ts'
import { yearLine } from './wording.ts'

/** Stamps shown at first; a button shows the rest. */
const maxShown = 12
const maxSuggested = 4

/** The countries reached, each as a stamp cancelled by its first answered call, then some that are still to come. */
export function Album({ suggested }: { readonly suggested: readonly SuggestedCountry[] }) {
  const shown = useStore($album)
  const region = useRef<HTMLDivElement>(null)
  return (
    <section className={styles['album']} aria-labelledby="profile-album">
      <h2 id="profile-album">{texts.title}</h2>
      <div ref={region} tabIndex={-1} className={sections['region']}>
        {shown.state === 'loading' && <AlbumLoading />}
        {shown.state === 'failed' && (
          <Missed message={shown.message} onRetry={() => void loadAlbum().then(() => keepFocus(region))} />
        )}
        {shown.state === 'ready' && <Page album={shown.value} suggested={suggested} />}
      </div>
    </section>
  )
}

interface PageProps {
  readonly album: AlbumRecord
  readonly suggested: readonly SuggestedCountry[]
}

function Page({ album: { countries, year }, suggested }: PageProps) {
  const [all, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const called = new Set(countries.map(({ isoCode }) => isoCode))
  const missing = suggested.filter(({ isoCode }) => !called.has(isoCode)).slice(0, maxSuggested)
  const stamps = all ? countries : countries.slice(0, maxShown)
  return (
    <>
      <p className={countries.length === 0 ? 'soft' : `num ${styles['year']}`}>
        {countries.length === 0 ? texts.none : yearLine(year, new Date())}
      </p>
      <ul ref={list} tabIndex={-1} className={styles['places']} aria-label={texts.countries}>
        {stamps.map(country => (
          <CancelledStamp key={country.isoCode} country={country} />
        ))}
        {missing.map(country => (
          <EmptyPlace key={country.isoCode} country={country} />
        ))}
      </ul>
      <div className={styles['ways']}>
        {stamps.length < countries.length && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              setAll(true)
              keepFocus(list)
            }}
          >
            {texts.showAll({ count: countries.length })}
          </button>
        )}
        <a className="more" href={localPath('/destinations')}>
          {texts.destinations} <ArrowRight className="i" aria-hidden="true" />
        </a>
      </div>
    </>
  )
}

function AlbumLoading() {
  const noticed = useLate()
  return (
    <>
      <p className="sr" role="status">
        {noticed && texts.loading}
      </p>
      <div className={`skel ${styles['waiting']}`} aria-hidden="true">
        {noticed && (
          <>
            <i className={sections['first']} />
            <div className={styles['places']}>
              {[0, 1, 2, 3].map(place => (
                <span key={place} className={styles['empty']} />
              ))}
            </div>
          </>
        )}
      </div>
    </>
  )
}
