import { useBusy } from '#ui/use-busy.ts'
import styles from '../dialler.module.css'
import { refreshBalance } from './balance.ts'
import { texts } from './texts.ts'

/** In the place of the balance when it could not be read again (PD-35). */
export function BalanceTrouble() {
  const { slow, run } = useBusy()
  const retry = async () => {
    await refreshBalance()
    return 'done' as const
  }
  return (
    <p className={styles['trouble']} role="alert">
      {texts.creditsFailed}{' '}
      <button type="button" disabled={slow} onClick={() => run(retry)}>
        {texts.creditsRetry}
      </button>
    </p>
  )
}
