import { useStore } from '@nanostores/react'
import { Activity, Check, Mic, MicOff, Play, Volume2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import {
  type ConnectionCheck,
  figuresText,
  type MicrophoneCheck,
  type SpeakerCheck,
  weaknesses,
} from '#voice/line-check-result.ts'
import { Level } from './Level.tsx'
import styles from './line-check.module.css'
import { confirmHeard, retryMicrophone, tryChosenSpeaker } from './line-check.ts'
import { $triedMicrophone, microphoneTrouble } from './microphone-level.ts'
import { $soundDevices } from './sound-devices.ts'

function Fine({ children }: { readonly children: ReactNode }) {
  return (
    <span className="ok">
      <Check className="i" aria-hidden="true" />
      {children}
    </span>
  )
}

function Weak({ children }: { readonly children: ReactNode }) {
  return <span className="ok weak">{children}</span>
}

/** The pressed button disappears, so move the focus to its row. */
function keepFocus(button: HTMLElement): void {
  button.closest('li')?.focus()
}

export function MicrophoneRow({ state }: { readonly state: MicrophoneCheck }) {
  const tried = useStore($triedMicrophone)
  const retry = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    keepFocus(currentTarget)
    retryMicrophone()
  }
  if (state === 'browser_unsupported' || state === 'page_insecure')
    return <FailedMicrophone text={microphoneTrouble[state]} />
  if (state === 'denied' || state === 'missing' || state === 'busy')
    return (
      <FailedMicrophone text={microphoneTrouble[`microphone_${state}`]}>
        <button type="button" className="btn" onClick={retry}>
          Try again
        </button>
      </FailedMicrophone>
    )
  const label = tried.state === 'open' ? tried.label : ''
  return (
    <li tabIndex={-1}>
      <Mic className="i" aria-hidden="true" />
      <div>
        <b>Microphone</b>
        <small>{microphoneText(state, label)}</small>
        {tried.state === 'open' && <Level />}
      </div>
      <span role="status">
        {state === 'hears' && <Fine>Hears you</Fine>}
        {state === 'silent' && <Weak>Silent</Weak>}
      </span>
    </li>
  )
}

function FailedMicrophone({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <li className="no" tabIndex={-1}>
      <MicOff className="i" aria-hidden="true" />
      <div>
        <b>Microphone</b>
        <small role="alert">{text}</small>
      </div>
      {children}
    </li>
  )
}

function microphoneText(state: MicrophoneCheck, label: string): ReactNode {
  switch (state) {
    case 'asking':
      return 'Allow the microphone so we can check that it hears you.'
    case 'listening':
      return (
        <>
          <bdi>{label}</bdi>. Say something.
        </>
      )
    case 'silent':
      return (
        <>
          <bdi>{label}</bdi> hears nothing. Speak up, check that it's switched on, or choose another one.
        </>
      )
    default:
      return <bdi>{label}</bdi>
  }
}

const played: readonly SpeakerCheck[] = ['asked', 'heard', 'unheard']

export function SpeakerRow({ state }: { readonly state: SpeakerCheck }) {
  const { speaker } = useStore($soundDevices)
  const again = played.includes(state)
  const say =
    (heard: boolean) =>
    ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
      keepFocus(currentTarget)
      confirmHeard(heard)
    }
  return (
    <li tabIndex={-1}>
      <Volume2 className="i" aria-hidden="true" />
      <div>
        <b>Speaker</b>
        <small>
          <bdi>{speaker.used?.label ?? 'System default'}</bdi>
          {state === 'failed' && ". Your browser didn't play the tone."}
          {state === 'unheard' && '. Turn the volume up, or choose another speaker.'}
        </small>
        {state === 'asked' && (
          <div className={styles['heard']}>
            <button type="button" className="btn plain" onClick={say(true)}>
              I heard it
            </button>
            <button type="button" className="btn plain" onClick={say(false)}>
              I did not
            </button>
          </div>
        )}
        {again && <ToneButton plain state={state} />}
      </div>
      <div>
        <span role="status">
          {state === 'heard' && <Fine>Heard</Fine>}
          {state === 'unheard' && <Weak>Not heard</Weak>}
        </span>
        {!again && <ToneButton state={state} />}
      </div>
    </li>
  )
}

function ToneButton({ state, plain = false }: { readonly state: SpeakerCheck; readonly plain?: boolean }) {
  const buttonText = state === 'playing' ? 'Playing' : plain ? 'Play a tone again' : 'Play a tone'
  return (
    <button
      type="button"
      className={plain ? 'btn plain' : 'btn'}
      aria-disabled={state === 'playing'}
      onClick={({ currentTarget }) => {
        keepFocus(currentTarget)
        void tryChosenSpeaker()
      }}
    >
      <Play className="i" aria-hidden="true" />
      {buttonText}
    </button>
  )
}

export function ConnectionRow({ check }: { readonly check: ConnectionCheck }) {
  const measured = check.kind === 'measured'
  const weak = measured && weaknesses(check.figures).length > 0
  return (
    <li>
      <Activity className="i" aria-hidden="true" />
      <div>
        <b>Connection</b>
        <small className="num">{connectionText(check)}</small>
      </div>
      <span role="status">
        {measured && !weak && <Fine>Steady</Fine>}
        {weak && <Weak>Weak</Weak>}
        {check.kind === 'failed' && check.why !== 'signed_out' && <Weak>Not checked</Weak>}
      </span>
    </li>
  )
}

function connectionText(check: ConnectionCheck): ReactNode {
  if (check.kind === 'measuring') return 'Measuring, for about eight seconds'
  if (check.kind === 'measured') return figuresText(check.figures)
  switch (check.why) {
    case 'no_calls':
      return "You can't make calls here."
    case 'signed_out':
      return (
        <>
          <a href="/login">Log in</a> to check the line to our voice service.
        </>
      )
    case 'unreachable':
      return "We can't reach the voice service. Check your network."
    case 'no_sound':
      return 'We reached the voice service, but no sound comes through.'
    case 'told':
      return check.message
    default:
      return check satisfies never
  }
}
