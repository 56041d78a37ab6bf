import { useStore } from '@nanostores/react'
import { isBackwards } from '#lib/rules/call-filter.ts'
import { $filter } from '#stores/history.ts'
import styles from './call-history.module.css'

export function NothingFound() {
  const filter = useStore($filter)
  return (
    <div className={styles['nothing']}>
      <h2>Nothing found</h2>
      <p className="soft">
        {isBackwards(filter)
          ? 'The last day is before the first one. Change one of them.'
          : 'Enter fewer digits or other days, or clear the filters to see all of your calls.'}
      </p>
    </div>
  )
}
