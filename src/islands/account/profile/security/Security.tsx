import { useStore } from '@nanostores/react'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Profile } from '#lib/api/profile.ts'
import type { Passkey, Security as SecurityRecord } from '#lib/api/second-factor.ts'
import { userOf } from '#session/follow-session.ts'
import { $session } from '#session/session.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { useBusy } from '#ui/use-busy.ts'
import { signalPasskeys } from '../../sign-in/passkey-signals.ts'
import { Missed } from '../Missed.tsx'
import { Outcome } from '../Outcome.tsx'
import { ProofDialog, type ProvenResult } from '../ProofDialog.tsx'
import { Phone } from '../phone-icon.ts'
import styles from '../profile.module.css'
import { RowsLoading } from '../RowsLoading.tsx'
import { Section } from '../Section.tsx'
import { texts as profileTexts } from '../texts.ts'
import { dayOf, seenAt } from '../wording.ts'
import { AuthenticatorDialog, type SetUp } from './AuthenticatorDialog.tsx'
import { CodesDialog } from './CodesDialog.tsx'
import { NamePasskeyDialog } from './NamePasskeyDialog.tsx'
import {
  $newCodes,
  $security,
  addOwnPasskey,
  beginAuthenticator,
  dropAuthenticator,
  loadSecurity,
  removeOwnPasskey,
  renewRecoveryCodes,
} from './security.ts'
import { texts } from './texts.ts'

/** An action that requires proof of identity: its label, and how to run it with or without a password. */
interface Act {
  readonly action: string
  readonly slowAction: string
  readonly done: string | null
  readonly run: (password: string) => Promise<ProvenResult>
}

type Ended = { readonly done: string } | { readonly failed: string } | null

export function Security({ profile }: { readonly profile: Profile }) {
  const shown = useStore($security)
  const newCodes = useStore($newCodes)
  const [ended, setEnded] = useState<Ended>(null)
  const [asked, setAsked] = useState<Act | null>(null)
  const [naming, setNaming] = useState(false)
  const [setUp, setSetUp] = useState<SetUp | null>(null)
  const region = useRef<HTMLDivElement>(null)
  const { slow, run } = useBusy()
  const passkeys = shown.state === 'ready' ? shown.value.passkeys : null
  useEffect(() => {
    const userId = userOf($session.get())
    if (passkeys !== null && userId !== null) signalPasskeys(passkeys, userId, profile.email)
  }, [passkeys, profile.email])

  const showEnded = (what: Ended) => {
    setEnded(what)
    keepFocus(region)
  }
  /** Tries without a password first, which is enough shortly after signing in; otherwise asks for it. */
  const act = (what: Act) =>
    run(async () => {
      setEnded(null)
      const result = await what.run('')
      if (result.ok) showEnded(what.done === null ? null : { done: what.done })
      else if (result.code === 'proof_needed') setAsked(what)
      else showEnded({ failed: result.message })
      return 'done'
    })
  const prove = async (what: Act, password: string) => {
    const result = await what.run(password)
    if (result.ok && what.done !== null) showEnded({ done: what.done })
    return result
  }

  const addNamed = (name: string) => {
    setNaming(false)
    act({
      action: texts.addThisPasskey,
      slowAction: texts.adding,
      done: texts.passkeyAdded,
      run: password => addOwnPasskey(name, password),
    })
  }
  const remove = (passkey: Passkey) =>
    act({
      action: profileTexts.remove,
      slowAction: profileTexts.removing,
      done: texts.removed({ passkey: passkey.name }),
      run: password => removeOwnPasskey(passkey.id, password),
    })
  const beginApp = () =>
    act({
      action: texts.continue,
      slowAction: texts.oneMoment,
      done: null,
      run: async password => {
        const result = await beginAuthenticator(password)
        if (result.ok) setSetUp(result.value)
        return result
      },
    })
  const dropApp = () =>
    act({
      action: profileTexts.remove,
      slowAction: profileTexts.removing,
      done: texts.appRemoved,
      run: dropAuthenticator,
    })
  const newRecoveryCodes = () =>
    act({
      action: texts.makeCodes,
      slowAction: texts.making,
      done: texts.oldCodes,
      run: renewRecoveryCodes,
    })

  return (
    <Section id="profile-security" title={texts.title} about={texts.about}>
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {shown.state === 'loading' && <RowsLoading label={texts.loading} />}
        {shown.state === 'failed' && (
          <Missed message={shown.message} onRetry={() => void loadSecurity().then(() => keepFocus(region))} />
        )}
        {shown.state === 'ready' && (
          <Factors
            security={shown.value}
            onRemove={remove}
            onDropApp={dropApp}
            onNewCodes={newRecoveryCodes}
          />
        )}
      </div>
      <FormNote message={ended !== null && 'failed' in ended ? ended.failed : null} />
      {shown.state === 'ready' && (
        <div className={styles['done']}>
          <button type="button" className={`btn ${styles['below']}`} onClick={() => setNaming(true)}>
            <KeyRound className="i" aria-hidden="true" />
            {slow ? texts.oneMoment : texts.addPasskey}
          </button>
          {shown.value.authenticator === null && (
            <button type="button" className={`btn ${styles['below']}`} onClick={beginApp}>
              <Phone className="i" aria-hidden="true" />
              {texts.addAnApp}
            </button>
          )}
          <Outcome message={ended !== null && 'done' in ended ? ended.done : null} />
        </div>
      )}
      {naming && <NamePasskeyDialog onName={addNamed} onClose={() => setNaming(false)} />}
      {asked !== null && (
        <ProofDialog
          profile={profile}
          action={asked.action}
          slowAction={asked.slowAction}
          onProve={password => prove(asked, password)}
          onClose={() => setAsked(null)}
        />
      )}
      {setUp !== null && (
        <AuthenticatorDialog
          setUp={setUp}
          onDone={() => {
            setSetUp(null)
            showEnded({ done: texts.appAdded })
          }}
          onClose={() => setSetUp(null)}
        />
      )}
      {newCodes !== null && setUp === null && asked === null && <CodesDialog codes={newCodes} />}
    </Section>
  )
}

interface FactorsProps {
  readonly security: SecurityRecord
  readonly onRemove: (passkey: Passkey) => void
  readonly onDropApp: () => void
  readonly onNewCodes: () => void
}

function Factors({ security, onRemove, onDropApp, onNewCodes }: FactorsProps) {
  const { passkeys, authenticator, recoveryCodesLeft: left } = security
  if (passkeys.length === 0 && authenticator === null)
    return <p className={styles['nothing']}>{texts.none}</p>
  return (
    <ul className="rows">
      {passkeys.map(passkey => (
        <li key={passkey.id}>
          <KeyRound className="i" aria-hidden="true" />
          <div>
            <b>
              <bdi>{passkey.name}</bdi>
            </b>
            <small className="num">{usedText(passkey)}</small>
          </div>
          <button
            type="button"
            className="btn plain"
            aria-label={texts.removePasskey({
              passkey: passkey.name,
              date: dayOf(new Date(passkey.addedAt)),
            })}
            onClick={() => onRemove(passkey)}
          >
            {profileTexts.remove}
          </button>
        </li>
      ))}
      {authenticator !== null && (
        <li>
          <Phone className="i" aria-hidden="true" />
          <div>
            <b>{texts.app}</b>
            <small className="num">{usedText(authenticator)}</small>
          </div>
          <button type="button" className="btn plain" aria-label={texts.removeApp} onClick={onDropApp}>
            {profileTexts.remove}
          </button>
        </li>
      )}
      <li>
        <span className="i" aria-hidden="true" />
        <div>
          <b>{texts.recoveryCodes}</b>
          <small className="num">{left ? texts.left({ count: left }) : texts.noneLeft}</small>
        </div>
        <button type="button" className="btn plain" aria-label={texts.newCodesFor} onClick={onNewCodes}>
          {texts.newCodes}
        </button>
      </li>
    </ul>
  )
}

function usedText({
  addedAt,
  lastUsedAt,
}: {
  readonly addedAt: string
  readonly lastUsedAt: string | null
}): string {
  const date = dayOf(new Date(addedAt))
  return lastUsedAt === null
    ? texts.notUsed({ date })
    : texts.used({ date, time: seenAt(new Date(lastUsedAt), new Date()) })
}
