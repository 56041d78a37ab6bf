import { localPath } from '#lib/i18n/path.ts'
import styles from './album.module.css'
import { texts } from './texts.ts'

/** A country that has not been called yet, offered with its rate. */
export interface SuggestedCountry {
  readonly isoCode: string
  readonly name: string
  /** As printed on stamps: `2.4¢`. */
  readonly faceValue: string
}

export function EmptyPlace({
  country: { isoCode, name, faceValue },
}: {
  readonly country: SuggestedCountry
}) {
  return (
    <li className={styles['place']}>
      <a className={styles['empty']} href={localPath(`/calling/${isoCode.toLowerCase()}`)}>
        <span className={`num ${styles['value']}`}>
          {faceValue}
          <small>{texts.aMinute}</small>
        </span>
        <b className={styles['name']}>{name}</b>
      </a>
      <p className={`small soft ${styles['caption']}`}>{texts.notCalled}</p>
    </li>
  )
}
