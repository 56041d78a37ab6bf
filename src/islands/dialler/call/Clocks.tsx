import { localTimeOfNumber, nightText } from '#lib/numbers/local-time.ts'
import type { Callee } from '#voice/call.ts'
import { useMinute } from '../contacts/use-minute.ts'
import styles from './in-call.module.css'
import { twoClocks } from './two-clocks.ts'

interface OfCallee {
  readonly callee: Callee
}

/** The times of both, by the minute, outside of every live region. Nothing if the number's place is unknown. */
export function Clocks({ callee }: OfCallee) {
  const now = useMinute()
  const local = localTimeOfNumber(callee.e164, now, callee.country.isoCode)
  return local && <p className={`soft small num ${styles.clocks}`}>{twoClocks(local, now)}</p>
}

/** That people may be asleep there. */
export function NightNote({ callee }: OfCallee) {
  const local = localTimeOfNumber(callee.e164, useMinute(), callee.country.isoCode)
  const text = local && nightText(local)
  return text && <p className={styles.clocks}>{text}</p>
}
