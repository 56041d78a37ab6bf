import { atom, computed, type ReadableAtom } from 'nanostores'
import { type Country, countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { localStore } from '#session/storage.ts'
import { $user } from '#session/user.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { placeCall } from '../call/place-call.ts'
import { $dial, $extension, countryKey, enterNumber, verdictNow } from '../number/dial.ts'
import { $isPending } from '../number/pending-number.ts'
import { isTestLinked } from '../test-call/test-call.ts'
import {
  combinedNumber,
  keepDigits,
  localDigits,
  stepAfter,
  stepBefore,
  type Tutorial,
  wizardDelayMs,
} from './tutorial.ts'

/** What this browser remembers (SPEC-3.12), under the key of PD-12. */
export const wizardKey = 'wizardPreferences'
interface Preferences {
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
  /** The current step; null while it is not shown. */
  readonly $tutorial: ReadableAtom<Tutorial | null>
  /** The full number as it will be dialled. */
  readonly $fullNumber: ReadableAtom<string>
  /** Shows the tutorial after 300 ms, or once the user is known, unless they have called or seen it. */
  offer(): void
  chooseCountry(country: Country): void
  setNumber(text: string): void
  back(): void
  next(): void
  /** Ends the last step and calls at once. */
  call(): void
  /** Skips or closes it; the dialler's content stays. */
  dismiss(): void
}

/** Whether the default country came with the page's address or was chosen on an earlier visit. */
function isDefaultChosen(): boolean {
  const linked = new URL(window.location.href).searchParams.get('country') ?? ''
  return countryOfIso(linked) !== undefined || localStore.read(countryKey) !== null
}

function readPreferences(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStore.read(wizardKey) ?? 'null')
    return { ...untouched, ...(stored as Partial<Preferences> | null) }
  } catch {
    return untouched // Written by other code.
  }
}

function remember(change: Partial<Preferences>): void {
  localStore.write(wizardKey, JSON.stringify({ ...readPreferences(), ...change }))
}

/** The first-use wizard: the four-step tutorial (PD-12). */
export function createWizard({ nowMs, wait }: WizardPorts): Wizard {
  const $tutorial = atom<Tutorial | null>(null)
  const $rules = atom<typeof import('#shared/numbers/number-rules.ts') | null>(null)
  const $fullNumber = computed([$tutorial, $rules], (tutorial, rules) => {
    if (tutorial === null) return ''
    return combinedNumber(tutorial, rules?.parseNumber(tutorial.phoneNumber, tutorial.country) ?? null)
  })

  /** A number that was typed here, or one that is ready to be called as far as is known, needs no tutorial. */
  function isBusy(): boolean {
    const { typed } = $dial.get()
    const isReady = typed !== '' && (!$isPending.get() || (verdictNow()?.kind ?? 'ok') === 'ok')
    return isLive($call.get()) || isReady || isTestLinked()
  }

  function show(): void {
    remember({ lastShown: nowMs() })
    const { country, typed } = $dial.get()
    // Starts at what is missing: a country that was chosen before is not asked for again.
    const hasCountry = country.id !== defaultCountry.id || isDefaultChosen()
    const step = typed !== '' || hasCountry ? 'number' : 'welcome'
    $tutorial.set({ step, country, phoneNumber: localDigits(typed, country) })
    loadPhoneRules().then($rules.set, (error: unknown) =>
      console.error('The numbering plans did not load.', error),
    )
  }

  async function offerTo(isNewcomer: () => boolean): Promise<void> {
    // Only the numbering plans know whether a number of an earlier page is whole.
    if ($isPending.get() && $dial.get().typed !== '') await loadPhoneRules().catch(() => undefined)
    if (isNewcomer() && !isBusy()) show()
  }

  function change(part: Partial<Tutorial>): void {
    const tutorial = $tutorial.get()
    if (tutorial !== null) $tutorial.set({ ...tutorial, ...part })
  }

  function finish({ country, phoneNumber }: Tutorial): void {
    $tutorial.set(null)
    remember({ hasSeenWizard: true })
    const { country: before, typed } = $dial.get()
    const goesOn = typed !== '' && phoneNumber.startsWith(localDigits(typed, before))
    enterNumber(country, phoneNumber, goesOn ? $extension.get() : '')
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
          void offerTo(() => !($user.get() ?? user).has_made_call && !readPreferences().hasSeenWizard)
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
      if (tutorial.step === 'confirmation') finish(tutorial)
    },
    call() {
      const tutorial = $tutorial.get()
      if (tutorial?.step !== 'confirmation') return
      finish(tutorial)
      void placeCall()
    },
    dismiss() {
      if ($tutorial.get() === null) return
      $tutorial.set(null)
      remember({ hasSeenWizard: true, lastDismissed: nowMs() })
    },
  }
}

export const wizard = createWizard({
  nowMs: Date.now,
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
})
