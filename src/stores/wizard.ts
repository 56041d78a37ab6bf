import { atom, computed, type ReadableAtom } from 'nanostores'
import { isLive } from '#lib/rules/call.ts'
import type { Country } from '#lib/rules/countries.ts'
import {
  combinedNumber,
  keepDigits,
  stepAfter,
  stepBefore,
  type Tutorial,
  wizardDelayMs,
} from '#lib/rules/tutorial.ts'
import { $call } from './call.ts'
import { $dial, chooseCountry, loadPhoneRules, setNumber } from './dial.ts'
import { localStore } from './storage.ts'
import { isTestLinked } from './test-call.ts'
import { $user } from './user.ts'

/** Specification section 3: what this browser remembers, under the key of decision 12. */
export const wizardKey = 'wizardPreferences'
interface Preferences {
  /** Completed or dismissed: it does not come again. */
  readonly hasSeenWizard: boolean
  /** Unix milliseconds; null for never. */
  readonly lastShown: number | null
  readonly lastDismissed: number | null
}
const untouched: Preferences = { hasSeenWizard: false, lastShown: null, lastDismissed: null }

export interface WizardPorts {
  /** Unix milliseconds. */
  readonly nowMs: () => number
  readonly wait: (ms: number, callback: () => void) => void
}

export interface Wizard {
  /** The tutorial as far as it is; null while it is not shown. */
  readonly $tutorial: ReadableAtom<Tutorial | null>
  /** The combined full number, as it will be dialled. */
  readonly $fullNumber: ReadableAtom<string>
  /** Shows it 300 ms from now, or as soon as the user is known, to whoever has not called and not seen it. */
  offer(): void
  chooseCountry(country: Country): void
  setNumber(text: string): void
  back(): void
  /** Goes on; on the last step the dialler is filled with the result. */
  next(): void
  /** The skip handler: skipped or closed. What is in the dialler stays. */
  dismiss(): void
}

function readPreferences(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStore.read(wizardKey) ?? 'null')
    return { ...untouched, ...(stored as Partial<Preferences> | null) }
  } catch {
    return untouched // Something else wrote under this key.
  }
}

function remember(change: Partial<Preferences>): void {
  localStore.write(wizardKey, JSON.stringify({ ...readPreferences(), ...change }))
}

/** The first-use wizard, which is the four-step tutorial (decision 12). */
export function createWizard({ nowMs, wait }: WizardPorts): Wizard {
  const $tutorial = atom<Tutorial | null>(null)
  const $rules = atom<typeof import('./number-rules.ts') | null>(null)
  const $fullNumber = computed([$tutorial, $rules], (tutorial, rules) => {
    if (tutorial === null) return ''
    return combinedNumber(tutorial, rules?.parseNumber(tutorial.phoneNumber, tutorial.country) ?? null)
  })

  /** Somebody who types or calls already needs no tutorial over it; it is there the next time. */
  function isBusy(): boolean {
    return isLive($call.get()) || $dial.get().typed !== '' || isTestLinked()
  }

  function show(): void {
    remember({ lastShown: nowMs() })
    $tutorial.set({ step: 'welcome', country: $dial.get().country, phoneNumber: '' })
    loadPhoneRules().then($rules.set, (error: unknown) =>
      console.error('The numbering plans did not load.', error),
    )
  }

  function change(part: Partial<Tutorial>): void {
    const tutorial = $tutorial.get()
    if (tutorial !== null) $tutorial.set({ ...tutorial, ...part })
  }

  return {
    $tutorial,
    $fullNumber,
    offer() {
      wait(wizardDelayMs, () => {
        let offered = false
        $user.subscribe(user => {
          if (offered || user === null) return
          offered = true
          if (!user.has_made_call && !readPreferences().hasSeenWizard && !isBusy()) show()
        })
      })
    },
    chooseCountry: country => change({ country }),
    setNumber: text => change({ phoneNumber: keepDigits(text) }),
    back() {
      const tutorial = $tutorial.get()
      const step = tutorial === null ? undefined : stepBefore(tutorial)
      if (step !== undefined) change({ step })
    },
    next() {
      const tutorial = $tutorial.get()
      if (tutorial === null) return
      const step = stepAfter(tutorial)
      if (step !== undefined) return change({ step })
      if (tutorial.step !== 'confirmation') return
      $tutorial.set(null)
      remember({ hasSeenWizard: true })
      chooseCountry(tutorial.country)
      setNumber(tutorial.phoneNumber)
    },
    dismiss() {
      if ($tutorial.get() === null) return
      $tutorial.set(null)
      remember({ hasSeenWizard: true, lastDismissed: nowMs() })
    },
  }
}

/** The wizard of this page. */
export const wizard = createWizard({
  nowMs: Date.now,
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})
