import { useStore } from '@nanostores/react'
import { ListFilter, Search } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { CallGroup } from '#lib/api/calls.ts'
import {
  type CallFilter,
  callGroups,
  countFilters,
  isBackwards,
  isFiltering,
} from '#lib/calls/call-filter.ts'
import { callGroupTexts } from '#lib/calls/call-group-texts.ts'
import { described, Field } from '#ui/Field.tsx'
import styles from './call-history.module.css'
import { $filter, changeFilter, clearFilter } from './history.ts'
import { texts } from './texts.ts'

/** Folded behind a button, which says how many filters are on. They apply as they are entered, without a submit button. */
export function FilterFields() {
  const filter = useStore($filter)
  const [open, setOpen] = useState(() => isFiltering($filter.get()))
  const fieldsId = useId()
  const count = countFilters(filter)
  return (
    <>
      <button
        type="button"
        className={`btn ${styles['toggle']}`}
        aria-expanded={open}
        aria-controls={fieldsId}
        onClick={() => setOpen(!open)}
      >
        <ListFilter className="i" aria-hidden="true" />
        {texts.filters}
        {count > 0 && (
          <>
            <span className={`num ${styles['count']}`} aria-hidden="true">
              {count}
            </span>
            <span className="sr">{texts.filtersOn({ count })}</span>
          </>
        )}
      </button>
      <div id={fieldsId} hidden={!open}>
        <Fields />
      </div>
    </>
  )
}

function Fields() {
  const filter = useStore($filter)
  const who = useRef<HTMLInputElement>(null)
  const id = useId()
  const clear = () => {
    who.current?.focus()
    void clearFilter()
  }
  const fault = isBackwards(filter) ? texts.beforeFirst : null
  const day = (name: 'from' | 'to', label: string, problem: string | null) => (
    <Field id={`${id}-${name}`} label={label} fault={problem}>
      <input
        id={`${id}-${name}`}
        {...described(`${id}-${name}`, undefined, problem)}
        className="input"
        type="date"
        min="2000-01-01"
        max="2099-12-31"
        value={filter[name]}
        onChange={event => changeFilter({ [name]: event.target.value })}
      />
    </Field>
  )
  return (
    <search className={styles['filter']} aria-label={texts.calls}>
      <div className={`field ${styles['who']}`}>
        <label htmlFor={`${id}-who`}>{texts.who}</label>
        <div className="withicon">
          <Search className="i" aria-hidden="true" />
          <input
            ref={who}
            id={`${id}-who`}
            className="input"
            type="search"
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={100}
            value={filter.who}
            onChange={event => changeFilter({ who: event.target.value })}
          />
        </div>
      </div>
      <div className={styles['days']}>
        {day('from', texts.from, null)}
        {day('to', texts.to, fault)}
      </div>
      <Field id={`${id}-outcome`} label={texts.howItEnded} fault={null}>
        <select
          id={`${id}-outcome`}
          className="input"
          value={filter.outcome}
          onChange={event => changeFilter({ outcome: event.target.value as CallFilter['outcome'] })}
        >
          <option value="">{texts.allCalls}</option>
          {(Object.keys(callGroups) as CallGroup[]).map(group => (
            <option key={group} value={group}>
              {callGroupTexts[group]}
            </option>
          ))}
        </select>
      </Field>
      {isFiltering(filter) && (
        <button type="button" className="btn" onClick={clear}>
          {texts.clearFilters}
        </button>
      )}
    </search>
  )
}
