import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { $contacts } from '#shared/contacts.ts'
import { SaveContactDialog } from '#shared/save-contact/SaveContactDialog.tsx'
import type { Callee } from '#voice/call.ts'
import { mainActionId } from '../call/Actions.tsx'
import { texts } from './texts.ts'

/** Offers to save the called number. Hidden while it is unknown whether the number is saved. */
export function SaveNumber({ callee }: { readonly callee: Callee }) {
  const known = useStore($contacts)
  const [saving, setSaving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const saved = known.state !== 'ready' || known.value.some(each => each.phone_number === callee.e164)
  const close = (isSaved: boolean) => {
    flushSync(() => setSaving(false))
    // The button, which had the focus, disappears once the number is saved.
    if (isSaved) document.getElementById(mainActionId)?.focus()
    else button.current?.focus()
  }
  const { e164, formatted, country, extension } = callee
  const number = {
    ...{ phone_number: e164, dial_code: country.dialCode, iso_code: country.isoCode, formatted, knownAs: '' },
    ...(extension !== '' && { extension }),
  }
  return (
    <>
      {!saved && (
        <button
          ref={button}
          type="button"
          className="btn"
          aria-haspopup="dialog"
          onClick={() => setSaving(true)}
        >
          {texts.saveNumber}
        </button>
      )}
      {saving && createPortal(<SaveContactDialog number={number} onClose={close} />, document.body)}
    </>
  )
}
