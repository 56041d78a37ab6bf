import { useStore } from '@nanostores/react'
import { Delete, Grip, Mic, MicOff, Phone as PhoneIcon, PhoneOff } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { $user } from '#session/user.ts'
import { texts as keypadTexts } from '#shared/keypad/texts.ts'
import { afterPaint } from '#ui/after-paint.ts'
import { type Call, isAnswered, isLive } from '#voice/call.ts'
import { ContactsButton } from '../contacts/ContactsButton.tsx'
import styles from '../dialler.module.css'
import { rateLineId } from '../number/description-ids.ts'
import { $isEntered, $rejection, deleteLast } from '../number/dial.ts'
import { texts } from '../texts.ts'
import { $call, callLine } from './call.ts'
import { $placing, placeCall } from './place-call.ts'

export const mainActionId = 'main-action'
/** The button that opens the keypad in a call; it takes the focus of what is removed above it. */
export const keypadButtonId = 'keypad-button'

export interface ActionsProps {
  readonly keypad: boolean
  readonly onKeypad: () => void
}

/** The bottom row: Call or Hang up, between backspace (or the keypad, in a call) and the microphone. */
export function Actions({ keypad, onKeypad }: ActionsProps) {
  const call = useStore($call)
  const live = isLive(call)
  const answered = isAnswered(call)
  return (
    <div className="acts">
      {live ? (
        <button
          type="button"
          id={keypadButtonId}
          className="tap word"
          aria-pressed={keypad}
          disabled={!answered}
          onClick={onKeypad}
        >
          <Grip className="i" aria-hidden="true" />
          {keypadTexts.keypad}
        </button>
      ) : (
        <ContactsButton />
      )}
      <MainAction key={live ? 'hang-up' : 'call'} call={call} />
      {live ? <Mute call={call} /> : <Backspace />}
    </div>
  )
}

/** Takes the focus when its view is gone. A double click or held Enter on Call must not hang up the call it began. */
function MainAction({ call }: { readonly call: Call }) {
  const button = useRef<HTMLButtonElement>(null)
  const entered = useStore($isEntered)
  const restricted = useStore($user)?.can_call === false
  const placing = useStore($placing)
  const rejection = useStore($rejection)
  const live = isLive(call)
  const refused = !live && rejection !== null
  const changed = call.state !== 'idle'

  // The button is replaced when a call begins or ends. To remove or to focus one lays the page out at once, so it loses
  // the focus before the render, and the new one gets it after the paint.
  useEffect(
    () =>
      $call.listen(next => {
        if (isLive(next) !== live) button.current?.blur()
      }),
    [live],
  )
  useEffect(() => {
    if (!changed) return
    return afterPaint(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    })
  }, [changed])

  const press = (event: MouseEvent) => {
    if (event.detail > 1) return
    if (live) callLine.hangUp()
    else if (!refused) void placeCall()
  }
  const ignoreRepeats = (event: KeyboardEvent) => {
    if (event.repeat) event.preventDefault()
  }

  if (refused && rejection.kind === 'emergency')
    return (
      <a className={`btn ${styles['main']} ${styles['refused']}`} href={`tel:${rejection.phone}`}>
        {texts.useAPhone}
      </a>
    )
  return (
    <button
      ref={button}
      type="button"
      id={mainActionId}
      className={`btn ${styles['main']} ${live ? 'hangup' : refused ? styles['refused'] : 'call'}`}
      aria-busy={placing}
      aria-disabled={refused}
      aria-describedby={refused ? rateLineId : undefined}
      disabled={!live && (!entered || restricted)}
      onClick={press}
      onKeyDown={ignoreRepeats}
    >
      {live ? <PhoneOff className="i" aria-hidden="true" /> : <PhoneIcon className="i" aria-hidden="true" />}
      {live ? texts.hangUp : texts.call}
    </button>
  )
}

function Mute({ call }: { readonly call: Call }) {
  const answered = isAnswered(call)
  const muted = answered && call.muted
  const Icon = muted ? MicOff : Mic
  return (
    <button
      type="button"
      className="tap word"
      aria-pressed={muted}
      aria-keyshortcuts="Control+Shift+M Meta+Shift+M"
      title={muted ? texts.unmuteKeys : texts.muteKeys}
      disabled={!answered}
      onClick={() => callLine.setMuted(!muted)}
    >
      <Icon className="i" aria-hidden="true" />
      {muted ? texts.muted : texts.mute}
    </button>
  )
}

function Backspace() {
  const entered = useStore($isEntered)
  return (
    <button
      type="button"
      className="tap"
      aria-label={texts.deleteLast}
      disabled={!entered}
      onClick={deleteLast}
    >
      <Delete className="i" aria-hidden="true" />
    </button>
  )
}
