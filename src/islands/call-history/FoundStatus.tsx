import { useStore } from '@nanostores/react'
import { isFiltering, writeCallFilter } from '#lib/calls/call-filter.ts'
import { $filter, $history } from './history.ts'
import { callsText } from './wording.ts'

/**
 * Announces the result of a search to screen readers, once per search. Silent while it loads, and for calls that
 * arrive by themselves.
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
      {answered && foundText(history.calls.length, history.nextCursor === null, isFiltering(history.filter))}
    </p>
  )
}

function foundText(count: number, complete: boolean, filtered: boolean): string {
  if (count === 0) return 'Nothing found'
  return `${callsText(count)} ${filtered && complete ? 'found' : 'listed'}`
}
