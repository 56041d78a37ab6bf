import { useStore } from '@nanostores/react'
import { TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { type ConnectionCheck, type Verdict, verdictOf } from '#voice/line-check-result.ts'
import { placeCall } from '../call/place-call.ts'
import { $isEntered } from '../number/dial.ts'
import { ConnectionRow, MicrophoneRow, SpeakerRow } from './CheckRows.tsx'
import styles from './line-check.module.css'
import { $lineCheck, beginLineCheck, endLineCheck, forgetSpeaker } from './line-check.ts'
import { followSoundDevices } from './sound-devices.ts'
import { closeSoundDialog, openSoundDialog } from './sound-dialog.ts'
import { soundTexts } from './sound-texts.ts'

/** A check of about ten seconds that predicts the quality of a call made now. */
export function LineCheckDialog() {
  const check = useStore($lineCheck)
  useEffect(followSoundDevices, [])
  useEffect(() => {
    forgetSpeaker()
    beginLineCheck()
    return endLineCheck
  }, [])
  const verdict = verdictOf(check)
  return (
    <Dialog title={soundTexts.checkTitle} onClose={closeSoundDialog} footer={<Footer />}>
      <ol className={`checks ${styles['checks']}`}>
        <MicrophoneRow state={check.microphone} />
        <SpeakerRow state={check.speaker} />
        <ConnectionRow check={check.connection} />
      </ol>
      <div role="status">
        <Outcome verdict={verdict} meanwhile={meanwhile(check.connection)} />
      </div>
      <Ways poor={verdict.kind === 'poor'} />
    </Dialog>
  )
}

/** A check that failed has no figures to wait for; its row 'Connection' says why. */
function meanwhile(connection: ConnectionCheck): string {
  if (connection.kind !== 'failed') return soundTexts.takesTenSeconds
  if (connection.why !== 'signed_out') return ''
  return soundTexts.onceLoggedIn
}

/** @param props.meanwhile shown until there is a verdict */
function Outcome({ verdict, meanwhile }: { readonly verdict: Verdict; readonly meanwhile: string }) {
  switch (verdict.kind) {
    case 'ready':
      return (
        <div className="verdict">
          <Tick />
          <div>
            <b className="who">{verdict.title}</b>
            <p className="soft small">{verdict.text}</p>
          </div>
        </div>
      )
    case 'poor':
      return (
        <p className="note warn">
          <TriangleAlert className="i" aria-hidden="true" />
          <span>{verdict.text}</span>
        </p>
      )
    case 'untried':
      return <p className={`soft small ${styles['waiting']}`}>{verdict.text}</p>
    case 'waiting':
      return <p className={`soft small ${styles['waiting']}`}>{meanwhile}</p>
    default:
      return verdict satisfies never
  }
}

function Tick() {
  return (
    <svg className="postmark" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="38" />
      <path d="M32 52l12 13 25-29" strokeWidth="5" />
    </svg>
  )
}

/** Further actions. 'Call anyway' is appended last, so that no button moves under the pointer. */
function Ways({ poor }: { readonly poor: boolean }) {
  const entered = useStore($isEntered)
  const callAnyway = () => {
    closeSoundDialog()
    void placeCall()
  }
  return (
    <div className={styles['heard']}>
      <button type="button" className="btn plain" onClick={() => openSoundDialog('devices')}>
        {soundTexts.changeDevices}
      </button>
      {poor && entered && (
        <button type="button" className="btn plain" onClick={callAnyway}>
          {soundTexts.callAnyway}
        </button>
      )}
    </div>
  )
}

/** The same buttons for every result, so that each keeps its place and its focus. */
function Footer() {
  return (
    <>
      <button type="button" className="btn" onClick={beginLineCheck}>
        {soundTexts.checkAgain}
      </button>
      <button type="button" className="btn primary" onClick={closeSoundDialog}>
        {soundTexts.done}
      </button>
    </>
  )
}
