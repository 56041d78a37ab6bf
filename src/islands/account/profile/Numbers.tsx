import { useStore } from '@nanostores/react'
import { PhoneIncoming, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { localPath } from '#lib/i18n/path.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import { $user, loadUser } from '#session/user.ts'
import { $callerIds, $callerIdsMissed, $callFrom, loadCallerIds } from '#shared/caller-ids/caller-ids.ts'
import { RemoveCallerIdDialog } from '#shared/caller-ids/RemoveCallerIdDialog.tsx'
import { VerifyCallerIdDialog } from '#shared/caller-ids/VerifyCallerIdDialog.tsx'
import { addCallerId } from '#shared/caller-ids/verify-caller-id.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { Flag } from '#ui/Flag.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { Missed } from './Missed.tsx'
import styles from './profile.module.css'
import { RowsLoading } from './RowsLoading.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

type PhoneRules = Awaited<ReturnType<typeof loadPhoneRules>>

export function Numbers() {
  const numbers = useStore($callerIds)
  const missed = useStore($callerIdsMissed)
  const [rules, setRules] = useState<PhoneRules | null>(null)
  const [removing, setRemoving] = useState<string | null>(null)
  /** Hides the error during a retry, so that a second failure is announced again. */
  const [retrying, setRetrying] = useState(false)
  const region = useRef<HTMLDivElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    loadPhoneRules().then(
      loaded => setRules(loaded),
      (error: unknown) => console.error('The numbering plans did not load.', error),
    )
  }, [])

  /** The user must be loaded before the numbers can be. */
  const retry = async () => {
    setRetrying(true)
    if ($user.get() === null) await loadUser()
    await loadCallerIds()
    setRetrying(false)
    keepFocus(region)
  }

  return (
    <Section id="profile-numbers" title={texts.numbers} about={texts.aboutNumbers}>
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {numbers !== null && numbers.length === 0 && <p className={styles['nothing']}>{texts.noNumbers}</p>}
        {numbers !== null && numbers.length > 0 && (
          <ul className="rows">
            {numbers.map(number => (
              <Row key={number} number={number} rules={rules} onRemove={() => setRemoving(number)} />
            ))}
          </ul>
        )}
        {numbers === null &&
          (missed && !retrying ? (
            <Missed message={texts.numbersMissed} onRetry={() => void retry()} />
          ) : (
            <RowsLoading label={texts.loadingNumbers} />
          ))}
      </div>
      <button
        ref={add}
        type="button"
        className={`btn ${styles['below']}`}
        aria-haspopup="dialog"
        onClick={() => void addCallerId()}
      >
        {texts.addNumber}
      </button>
      <VerifyCallerIdDialog />
      {removing !== null && (
        <RemoveCallerIdDialog
          number={removing}
          onClose={() => {
            setRemoving(null)
            // The button that opened the dialog disappears with the number.
            keepFocus(add)
          }}
        />
      )}
    </Section>
  )
}

interface RowProps {
  /** E.164. */
  readonly number: string
  /** Null until the numbering plans are loaded. */
  readonly rules: PhoneRules | null
  readonly onRemove: () => void
}

function Row({ number, rules, onRemove }: RowProps) {
  const chosen = useStore($callFrom) === number
  const verdict = rules?.parseNumber(number, defaultCountry)
  const known = verdict?.kind === 'ok' ? verdict : null
  const written = known?.formatted ?? number
  return (
    <li>
      {known === null ? <span className="flag" aria-hidden="true" /> : <Flag isoCode={known.isoCode} />}
      <div>
        <b className="num">
          <bdi dir="ltr">{written}</bdi>
        </b>
        <small>{chosen ? texts.verifiedShown : texts.verified}</small>
      </div>
      <a
        className="tap"
        href={localPath(`/call#${new URLSearchParams({ test: number })}`)}
        aria-label={texts.callToSee({ number: written })}
        title={texts.callMineToSee}
      >
        <PhoneIncoming className="i" aria-hidden="true" />
      </a>
      <button
        type="button"
        className="tap"
        aria-label={texts.removeNumber({ number: written })}
        aria-haspopup="dialog"
        onClick={onRemove}
      >
        <Trash2 className="i" aria-hidden="true" />
      </button>
    </li>
  )
}
