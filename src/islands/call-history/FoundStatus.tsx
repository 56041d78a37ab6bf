import { useStore } from '@nanostores/react'
import { isFiltering, writeCallFilter } from '#lib/rules/call-filter.ts'
import { $filter, $history } from '#stores/history.ts'
import { callsInWords } from './wording.ts'

/**
 * Says what the list holds to those who do not see it change, once for each time that somebody asks: nothing while the
 * answer is on its way, and nothing of calls that come by themselves.
 */
export function FoundStatus() {
  const history = useStore($history)
  const filter = useStore($filter)
  const answered =
    history.state === 'ready' &&
    history.asked &&
    history.more === 'idle' &&
    writeCallFilter(history.filter) === writeCallFilter(filter)
  return (
    <p className="sr" role="status">
      {answered && inWords(history.calls.length, history.nextCursor === null, isFiltering(history.filter))}
    </p>
  )
}

function inWords(count: number, complete: boolean, filtered: boolean): string {
  if (count === 0) return 'Nothing found'
  return `${callsInWords(count)} ${filtered && complete ? 'found' : 'listed'}`
}
