import { useStore } from '@nanostores/react'
import { $history, isFiltered } from '#stores/history.ts'
import { $historyTotals } from '#stores/history-totals.ts'
import { callsInWords } from './wording.ts'

/** Says how many calls a filter has found to those who do not see the list change. */
export function FoundStatus() {
  const history = useStore($history)
  const known = useStore($historyTotals)
  const told = isFiltered(history) && known.of === 'filter'
  return (
    <p className="sr" role="status">
      {told && `${callsInWords(known.totals.calls)} found`}
    </p>
  )
}
