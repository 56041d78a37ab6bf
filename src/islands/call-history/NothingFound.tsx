import { useStore } from '@nanostores/react'
import { isBackwards } from '#lib/calls/call-filter.ts'
import styles from './call-history.module.css'
import { $filter } from './history.ts'

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
