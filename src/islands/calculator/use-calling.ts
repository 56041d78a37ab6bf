import { type ComponentType, useEffect, useState } from 'react'
import type { ReferralScript } from '#lib/account/referral-script.ts'
import { go } from '#session/navigation.ts'
import { keepPendingCall } from '#session/pending-call.ts'
import { numberFieldId } from './NumberCell.tsx'
import type { CallableNumber, NumberReading } from './number-reading.ts'

export type Sheet = ComponentType<{ readonly referralValue: string; readonly onClose: () => void }>

export interface Calling {
  /** Null until a number is entered that can be called. */
  readonly number: CallableNumber | null
  /** Call was pressed for what is in the field. */
  readonly pressed: boolean
  /** The sign-up sheet; null while it is closed. */
  readonly Sheet: Sheet | null
  /** @returns false if there is no number: the link leads to the country */
  readonly call: () => boolean
  readonly closeSheet: () => void
}

/** Decides before first paint and whenever the session changes: the frame's attribute. */
export function isSignedIn(): boolean {
  return document.documentElement.dataset['session'] === 'in'
}

function loadSheet() {
  return import('./linked-sheet.ts').then(({ load }) => load())
}

/** What pressing Call does with the number: users go to the dialler, visitors get the sign-up sheet. */
export function useCalling(number: NumberReading, referral: ReferralScript): Calling {
  const [pressedFor, setPressedFor] = useState<NumberReading | null>(null)
  const [sheet, setSheet] = useState<{ readonly Sheet: Sheet } | null>(null)
  const { kind } = number
  useEffect(() => {
    // So that the sheet opens at once. Its failure shows when it is wanted.
    if (kind === 'ok' && !isSignedIn()) loadSheet().catch(() => undefined)
  }, [kind])

  const call = () => {
    if (number.kind === 'none') return false
    setPressedFor(number)
    if (number.kind === 'fault') {
      document.getElementById(numberFieldId)?.focus()
      return true
    }
    const { country, typed, extension, formatted } = number
    keepPendingCall({ country, typed, extension, formatted })
    if (isSignedIn()) go('/call')
    else {
      loadSheet().then(
        Loaded => setSheet({ Sheet: Loaded }),
        () => go('/register'), // The sheet did not load; the page has the same form.
      )
      // Who sent the visitor is looked up where people sign up.
      if (referral.script !== null) void import(/* @vite-ignore */ referral.script)
    }
    return true
  }
  return {
    number: number.kind === 'ok' ? number : null,
    pressed: pressedFor === number,
    Sheet: sheet?.Sheet ?? null,
    call,
    closeSheet: () => setSheet(null),
  }
}
