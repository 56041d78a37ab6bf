import { useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { CallRecord } from '#lib/api/calls.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { SaveContactDialog } from '#shared/save-contact/SaveContactDialog.tsx'
import styles from './call-history.module.css'
import { texts } from './texts.ts'

export interface SaveNumberButtonProps {
  readonly call: CallRecord
  /** Formatted for display. */
  readonly number: string
  /** The button is removed once the number is saved: the row's link to call again gets the focus. */
  readonly nextFocusId: string
}

export function SaveNumberButton({ call, number, nextFocusId }: SaveNumberButtonProps) {
  const [saving, setSaving] = useState(false)
  const close = (saved: boolean) => {
    flushSync(() => setSaving(false))
    if (saved) document.getElementById(nextFocusId)?.focus()
  }
  const { dialCode, isoCode } = entryOfNumber(call.to, call.isoCode)
  const unsaved = { phone_number: call.to, dial_code: dialCode, iso_code: isoCode, formatted: number }
  return (
    <>
      <button
        type="button"
        className={styles['save']}
        aria-haspopup="dialog"
        aria-label={texts.saveNumber({ number })}
        onClick={() => setSaving(true)}
      >
        {texts.save}
      </button>
      {saving &&
        createPortal(
          <SaveContactDialog number={{ ...unsaved, knownAs: '' }} onClose={close} />,
          document.body,
        )}
    </>
  )
}
