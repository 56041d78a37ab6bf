import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { described, Field } from '#ui/Field.tsx'
import type { Handset } from '#voice/handset-call.ts'
import styles from './handset.module.css'
import { claim } from './handset.ts'
import { $handsetSettings, changeHandset } from './handset-settings.ts'
import { Note } from './Note.tsx'
import { Options } from './Options.tsx'
import { lostNumber, rejections } from './wording.ts'

const fieldId = 'handset-number'

export interface OnHookProps {
  readonly handset: Extract<Handset, { readonly state: 'on_hook' | 'claiming' | 'lost' }>
}

/** No number is claimed yet: choose one, and what to do with calls. */
export function OnHook({ handset }: OnHookProps) {
  const { number } = useStore($handsetSettings)
  const field = useRef<HTMLInputElement>(null)
  const rejection = handset.state === 'on_hook' ? handset.rejection : null
  const aboutNumber = rejection === 'taken' || rejection === 'invalid_number'
  const claiming = handset.state === 'claiming'
  const fault = rejection !== null && aboutNumber ? rejections[rejection] : null

  useEffect(() => {
    if (!aboutNumber) return
    field.current?.focus()
    field.current?.select()
  }, [aboutNumber])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!claiming) void claim()
  }

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <p className="hstate" role="status">
        {claiming ? 'Claiming the number' : 'On the hook'}
      </p>
      {handset.state === 'lost' && (
        <div role="alert">
          <Note tone="warn" text={lostNumber[handset.why]} />
        </div>
      )}
      {rejection !== null && !aboutNumber && (
        <div role="alert">
          <Note tone="bad" text={rejections[rejection]} />
        </div>
      )}
      <Field id={fieldId} label="This telephone is" fault={fault}>
        <input
          ref={field}
          className={`input num ${styles['number']}`}
          id={fieldId}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          enterKeyHint="go"
          maxLength={40}
          readOnly={claiming}
          value={number}
          onChange={event => changeHandset({ number: event.currentTarget.value })}
          {...described(fieldId, undefined, fault)}
        />
      </Field>
      <Options disabled={claiming} />
      <button type="submit" className="btn primary wide" aria-disabled={claiming}>
        Claim this number
      </button>
    </form>
  )
}
