import { type ComponentType, useEffect, useState } from 'react'
import type { ReferralScript } from '#lib/account/referral-script.ts'
import { localPath } from '#lib/i18n/path.ts'
import { loadOptional } from '#session/load-optional.ts'
import { go } from '#session/navigation.ts'
import { type Place, settledNumber } from './calculator.ts'
import { keepNumber } from './kept-number.ts'
import { numberFieldId } from './NumberCell.tsx'
import type { CallableNumber, NumberReading } from './number-reading.ts'

export type Sheet = ComponentType<{ readonly referralValue: string; readonly onClose: () => void }>

export interface Calling {
  /** Null until a number is entered that can be called. */
  readonly number: CallableNumber | null
  /** A number is entered that can be called, or is not read yet. */
  readonly isEntered: boolean
  /** Call was pressed for what is in the field. */
  readonly pressed: boolean
  /** The sign-up sheet; null while it is closed. */
  readonly Sheet: Sheet | null
  /** @returns false if there is no number: the link leads to the country */
  readonly call: () => boolean
  /** Keeps the number for a tab that the link opens. @param place the chosen country */
  readonly keep: (place: Place) => void
  readonly closeSheet: () => void
}

/** Decides before first paint and whenever the session changes: the frame's attribute. */
export function isSignedIn(): boolean {
  return document.documentElement.dataset['session'] === 'in'
}

function loadSheet() {
  return loadOptional(() => import('./linked-sheet.ts').then(({ load }) => load()))
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

  const callRead = (read: CallableNumber) => {
    keepNumber(read, read.place)
    if (isSignedIn()) go(localPath('/call'))
    else {
      loadSheet().then(
        Loaded => setSheet({ Sheet: Loaded }),
        () => go(localPath('/register')), // The sheet did not load; the page has the same form.
      )
      // Who sent the visitor is looked up where people sign up, and also where the sheet goes on without it.
      if (referral.script !== null) import(/* @vite-ignore */ referral.script).catch(() => undefined)
    }
  }
  const press = (pressed: NumberReading) => {
    setPressedFor(pressed)
    if (pressed.kind === 'ok') callRead(pressed)
    else if (pressed.kind === 'reading') void settledNumber().then(read => read && press(read))
    else document.getElementById(numberFieldId)?.focus()
  }
  const call = () => {
    if (number.kind === 'none') return false
    press(number)
    return true
  }
  return {
    number: number.kind === 'ok' ? number : null,
    isEntered: number.kind === 'ok' || number.kind === 'reading',
    pressed: pressedFor === number,
    Sheet: sheet?.Sheet ?? null,
    call,
    keep: place => keepNumber(number, place),
    closeSheet: () => setSheet(null),
  }
}
