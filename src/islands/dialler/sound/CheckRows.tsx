import { useStore } from '@nanostores/react'
import { Activity, Check, Mic, MicOff, Play, Volume2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { localPath } from '#lib/i18n/path.ts'
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
import { soundTexts } from './sound-texts.ts'

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
    return <FailedMicrophone text={microphoneTrouble(state)} />
  if (state === 'denied' || state === 'missing' || state === 'busy')
    return (
      <FailedMicrophone text={microphoneTrouble(`microphone_${state}`)}>
        <button type="button" className="btn" onClick={retry}>
          {soundTexts.tryAgain}
        </button>
      </FailedMicrophone>
    )
  const label = tried.state === 'open' ? tried.label : ''
  return (
    <li tabIndex={-1}>
      <Mic className="i" aria-hidden="true" />
      <div>
        <b>{soundTexts.microphone}</b>
        <small>{microphoneText(state, label)}</small>
        {tried.state === 'open' && <Level />}
      </div>
      <span role="status">
        {state === 'hears' && <Fine>{soundTexts.hearsYou}</Fine>}
        {state === 'silent' && <Weak>{soundTexts.silent}</Weak>}
      </span>
    </li>
  )
}

function FailedMicrophone({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <li className="no" tabIndex={-1}>
      <MicOff className="i" aria-hidden="true" />
      <div>
        <b>{soundTexts.microphone}</b>
        <small role="alert">{text}</small>
      </div>
      {children}
    </li>
  )
}

function isolated(name: string): ReactNode {
  return <bdi key="name">{name}</bdi>
}

function microphoneText(state: MicrophoneCheck, label: string): ReactNode {
  switch (state) {
    case 'asking':
      return soundTexts.allowToCheck
    case 'listening':
      return soundTexts.listening({ name: label, device: isolated })
    case 'silent':
      return soundTexts.hearsNothing({ name: label, device: isolated })
    default:
      return isolated(label)
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
        <b>{soundTexts.speaker}</b>
        <small>{speakerText(state, speaker.used?.label ?? soundTexts.systemDefault)}</small>
        {state === 'asked' && (
          <div className={styles['heard']}>
            <button type="button" className="btn plain" onClick={say(true)}>
              {soundTexts.heardIt}
            </button>
            <button type="button" className="btn plain" onClick={say(false)}>
              {soundTexts.didNotHear}
            </button>
          </div>
        )}
        {again && <ToneButton plain state={state} />}
      </div>
      <div>
        <span role="status">
          {state === 'heard' && <Fine>{soundTexts.heard}</Fine>}
          {state === 'unheard' && <Weak>{soundTexts.notHeard}</Weak>}
        </span>
        {!again && <ToneButton state={state} />}
      </div>
    </li>
  )
}

function speakerText(state: SpeakerCheck, name: string): ReactNode {
  switch (state) {
    case 'failed':
      return soundTexts.speakerFailed({ name, device: isolated })
    case 'unheard':
      return soundTexts.speakerUnheard({ name, device: isolated })
    default:
      return isolated(name)
  }
}

function ToneButton({ state, plain = false }: { readonly state: SpeakerCheck; readonly plain?: boolean }) {
  const buttonText =
    state === 'playing' ? soundTexts.playing : plain ? soundTexts.playToneAgain : soundTexts.playTone
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
        <b>{soundTexts.connection}</b>
        <small className="num">{connectionText(check)}</small>
      </div>
      <span role="status">
        {measured && !weak && <Fine>{soundTexts.steady}</Fine>}
        {weak && <Weak>{soundTexts.weak}</Weak>}
        {check.kind === 'failed' && check.why !== 'signed_out' && <Weak>{soundTexts.notChecked}</Weak>}
      </span>
    </li>
  )
}

function connectionText(check: ConnectionCheck): ReactNode {
  if (check.kind === 'measuring') return soundTexts.measuring
  if (check.kind === 'measured') return figuresText(check.figures)
  switch (check.why) {
    case 'no_calls':
      return soundTexts.noCalls
    case 'signed_out':
      return soundTexts.logIn({
        login: text => (
          <a key="login" href={localPath('/login')}>
            {text}
          </a>
        ),
      })
    case 'unreachable':
      return soundTexts.unreachable
    case 'no_sound':
      return soundTexts.noSound
    case 'told':
      return check.message
    default:
      return check satisfies never
  }
}
