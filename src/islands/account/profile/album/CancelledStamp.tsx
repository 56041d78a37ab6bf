import { useId } from 'react'
import type { AlbumCountry } from '#lib/api/album.ts'
import { localPath } from '#lib/i18n/path.ts'
import { faceValue } from '#lib/money/face-value.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { Flag } from '#ui/Flag.tsx'
import { dayOf } from '../wording.ts'
import styles from './album.module.css'
import { texts } from './texts.ts'
import { inkOf, postmarkDate, talkText } from './wording.ts'

/** A country's stamp, cancelled on the day when somebody there first answered. */
export function CancelledStamp({ country }: { readonly country: AlbumCountry }) {
  const { isoCode, firstAnsweredAt, minutes, ratePerMinute } = country
  const name = countryOfIso(isoCode)?.name ?? isoCode
  const answered = new Date(firstAnsweredAt)
  return (
    <li className={styles['place']}>
      <div className={`stamp ${styles['stamp']}`}>
        <a
          className={`plate ${inkOf(isoCode)} ${styles['plate']}`}
          href={localPath(`/calling/${isoCode.toLowerCase()}`)}
        >
          {ratePerMinute !== null && (
            <span className={`num ${styles['value']}`}>
              {faceValue(usdToMicroUsd(ratePerMinute))}
              <small>{texts.aMinute}</small>
            </span>
          )}
          <Flag isoCode={isoCode} size={76} />
          <b className={styles['name']}>{name}</b>
        </a>
        <Cancellation place={name} at={answered} />
      </div>
      <p className={`small ${styles['caption']}`}>
        {texts.firstCall({
          date: dayOf(answered),
          label: text => (
            <span key="label" className="sr">
              {text}
            </span>
          ),
          day: date => (
            <time key="day" dateTime={firstAnsweredAt}>
              {date}
            </time>
          ),
        })}
        <span className="soft num">{talkText(minutes)}</span>
      </p>
    </li>
  )
}

const waves = [26, 42, 58, 74].map(y => `M4 ${y}q7.5-7 15 0${'t15 0'.repeat(5)}`).join('')
/** Longer names are squeezed to fit the ring. */
const ringLetters = 15

/** A postmark with the place and the day. Its waves run to the left, across the flag. */
function Cancellation({ place, at }: { readonly place: string; readonly at: Date }) {
  const id = useId()
  const { day, year } = postmarkDate(at)
  return (
    <svg className={`postmark ${styles['cancel']}`} viewBox="0 0 196 100" aria-hidden="true">
      <path d={waves} />
      <circle cx="146" cy="50" r="47" />
      <circle className={styles['middle']} cx="146" cy="50" r="31" />
      <path id={`${id}top`} d="M108.5 50a37.5 37.5 0 0 1 75 0" stroke="none" />
      <path id={`${id}bottom`} d="M102.5 50a43.5 43.5 0 0 0 87 0" stroke="none" />
      <text textAnchor="middle">
        <textPath
          href={`#${id}top`}
          startOffset="50%"
          {...(place.length > ringLetters && { textLength: 112, lengthAdjust: 'spacingAndGlyphs' })}
        >
          {place.toUpperCase()}
        </textPath>
      </text>
      <text textAnchor="middle">
        <textPath href={`#${id}bottom`} startOffset="50%">
          {year}
        </textPath>
      </text>
      <text className={`mid ${styles['day']}`} x="146" y="55">
        {day}
      </text>
    </svg>
  )
}
