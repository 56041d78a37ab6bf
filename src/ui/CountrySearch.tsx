import { Search } from 'lucide-react'
import {
  type KeyboardEvent,
  memo,
  startTransition,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Country } from '#lib/numbers/countries.ts'
import { searchCountries } from '#lib/numbers/country-search.ts'
import { afterPaint } from './after-paint.ts'
import styles from './country-search.module.css'
import { countrySearchTexts } from './country-search-texts.ts'
import { Flag } from './Flag.tsx'

export interface CountrySearchProps {
  readonly chosen: Country
  readonly onChoose: (country: Country) => void
  /** False while it is inside a dialog that is not open yet. */
  readonly shown?: boolean
  /** Chooses the country when the filter leaves only one. */
  readonly choosesOnly?: boolean
  readonly className?: string
}

/** Rows rendered first above and below the chosen one; more than fit on a screen. */
const halfScreenful = 6

/** The index that a key moves to; null for keys that do not move. */
function moved(key: string, at: number, last: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, last)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'PageDown':
      return Math.min(at + 8, last)
    case 'PageUp':
      return Math.max(at - 8, 0)
    default:
      return null
  }
}

/** A country list with a search box that keeps the focus: arrow keys move, Enter chooses. */
export function CountrySearch({
  chosen,
  shown = true,
  onChoose,
  choosesOnly = false,
  className = '',
}: CountrySearchProps) {
  // The tutorial shows a list while another is prepared on the same page.
  const listId = useId()
  const optionId = (country: Country) => `${listId}${country.id}`
  const [query, setQuery] = useState('')
  const found = useMemo(() => searchCountries(query), [query])
  const [at, setAt] = useState(() => Math.max(0, found.indexOf(chosen)))
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const moving = useRef<boolean>(false)
  const active = found[at]
  // Rows around the choice render first, the others right afterwards.
  const [whole, setWhole] = useState(false)
  const from = whole ? 0 : Math.max(0, at - halfScreenful)
  const rows = whole ? found : found.slice(from, from + 2 * halfScreenful + 1)

  // A dialog that opens focuses the element with `autofocus`; outside a dialog the effect below sets the focus.
  useLayoutEffect(() => input.current?.setAttribute('autofocus', ''), [])
  useEffect(() => {
    if (!shown) return
    input.current?.focus()
    return afterPaint(() => startTransition(() => setWhole(true)))
  }, [shown])
  useEffect(() => {
    if (!shown) return
    const option = list.current?.querySelector('.at')
    option?.scrollIntoView({ block: moving.current ? 'nearest' : 'center' })
    moving.current = whole
  })

  const search = (text: string) => {
    setQuery(text)
    setAt(text === '' ? Math.max(0, searchCountries('').indexOf(chosen)) : 0)
    const [only, ...others] = searchCountries(text)
    if (choosesOnly && only !== undefined && others.length === 0) onChoose(only)
  }
  const choosing = useRef(onChoose)
  useLayoutEffect(() => {
    choosing.current = onChoose
  })
  // Memoised, so that opening the list does not render every row again.
  const press = useCallback(
    (country: Country) => {
      setAt(found.indexOf(country))
      choosing.current(country)
    },
    [found],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, at, found.length - 1)
    if (next !== null) {
      event.preventDefault()
      setAt(Math.max(0, next))
    } else if (event.key === 'Enter' && active && !(choosesOnly && active.id === chosen.id)) {
      // Enter on the choice goes on to the form around the list.
      event.preventDefault()
      onChoose(active)
    }
  }

  return (
    <>
      <div className="withicon">
        <Search className="i" aria-hidden="true" />
        <input
          ref={input}
          className="input"
          type="text"
          inputMode="search"
          enterKeyHint="done"
          autoComplete="off"
          spellCheck={false}
          role="combobox"
          aria-label={countrySearchTexts.search}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(active)}
          placeholder={countrySearchTexts.placeholder}
          value={query}
          onChange={event => search(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        className={`options ${className}`}
        id={listId}
        role="listbox"
        aria-label={countrySearchTexts.list}
        hidden={found.length === 0}
      >
        {rows.map((country, row) => (
          <Row
            key={country.id}
            id={optionId(country)}
            country={country}
            isAt={from + row === at}
            isChosen={country.id === chosen.id}
            onPress={press}
          />
        ))}
      </div>
      <p className={found.length > 0 ? 'sr' : 'soft'} role="status">
        {found.length === 0
          ? countrySearchTexts.none
          : query !== '' && countrySearchTexts.found({ count: found.length })}
      </p>
    </>
  )
}

interface RowProps {
  readonly id: string
  readonly country: Country
  readonly isAt: boolean
  readonly isChosen: boolean
  readonly onPress: (country: Country) => void
}

const Row = memo(function Row({ id, country, isAt, isChosen, onPress }: RowProps) {
  return (
    <button
      type="button"
      role="option"
      id={id}
      tabIndex={-1}
      className={`${styles['option']} ${isAt ? 'at' : ''}`}
      aria-selected={isChosen}
      onMouseDown={event => event.preventDefault()}
      onClick={() => onPress(country)}
    >
      <Flag isoCode={country.isoCode} emoji={country.emoji} size={24} />
      {country.name}
      <span className="num" dir="ltr">
        {country.dialCode}
      </span>
    </button>
  )
})
