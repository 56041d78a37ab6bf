import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Keypad } from '#shared/keypad/Keypad.tsx'
import { useDigitKeys } from '#shared/keypad/use-digit-keys.ts'
import { TextButton } from '#shared/real-time-text/TextButton.tsx'
import { TextPane } from '#shared/real-time-text/TextPane.tsx'
import { type AnsweredCall, isAnswered, type LiveCall } from '#voice/call.ts'
import { CaptionLines, CaptionsStatus } from '../captions/CaptionLines.tsx'
import { CaptionsPane } from '../captions/CaptionsPane.tsx'
import { isShown } from '../captions/captions.ts'
import { $areCaptionsShown, callCaptions } from '../captions/dialler-captions.ts'
import styles from '../dialler.module.css'
import { ActiveCall } from './ActiveCall.tsx'
import { CallCost } from './CallCost.tsx'
import { callLine } from './call.ts'
import { partyOf } from './call-title.ts'
import { DigitsPanel } from './DigitsPanel.tsx'
import inCall from './in-call.module.css'
import { Timer } from './Timer.tsx'
import { textTalk } from './typed-text.ts'

export interface InCallProps {
  readonly call: LiveCall
  readonly keypad: boolean
  /** A digit was typed or pasted outside the keypad's view. */
  readonly onDigits: () => void
  /** The pane for text was opened from the keypad's view. */
  readonly onText: () => void
}

export function InCall({ call, keypad, onDigits, onText }: InCallProps) {
  const typing = useStore(textTalk.$text).open && isAnswered(call) && !keypad
  const captioned = useStore($areCaptionsShown)
  useEffect(() => {
    if (keypad) textTalk.setOpen(false)
  }, [keypad])
  // What is typed in the pane is text, wherever the focus is.
  useDigitKeys(isAnswered(call) && !typing, text => {
    callLine.sendDigits(text)
    onDigits()
  })
  if (!isAnswered(call)) return <ActiveCall call={call} />
  return (
    <>
      {keypad ? (
        <Menu call={call} onText={onText} />
      ) : typing ? (
        <Typing call={call} />
      ) : captioned ? (
        <Captioned call={call} />
      ) : (
        <ActiveCall call={call} />
      )}
      <CaptionsStatus />
    </>
  )
}

function Menu({ call, onText }: { readonly call: AnsweredCall; readonly onText: () => void }) {
  const { unread } = useStore(textTalk.$text)
  return (
    <div className={styles['entry']}>
      {unread && <TextButton talk={textTalk} onOpen={onText} />}
      <div className={inCall['beside']}>
        <SideCaptions />
      </div>
      <DigitsPanel call={call} />
      <Keypad mode="call" onKey={callLine.sendDigits} />
    </div>
  )
}

function Typing({ call }: { readonly call: AnsweredCall }) {
  return (
    <div className={inCall['typing']}>
      <SideCaptions />
      <TextPane
        talk={textTalk}
        name={partyOf(call)}
        aside={<Timer sinceMs={call.answeredAtMs} className="num" />}
      />
      <Cost call={call} />
    </div>
  )
}

function Captioned({ call }: { readonly call: AnsweredCall }) {
  const captions = useStore(callCaptions.$captions)
  if (!isShown(captions)) return null
  return (
    <div className={inCall['typing']}>
      <CaptionsPane
        captions={captions}
        name={partyOf(call)}
        aside={<Timer sinceMs={call.answeredAtMs} className="num" />}
      />
      <Cost call={call} />
      <div className={inCall['ways']}>
        <TextButton talk={textTalk} />
      </div>
    </div>
  )
}

function Cost({ call }: { readonly call: AnsweredCall }) {
  return (
    <p className={`meta num ${inCall.meta}`}>
      <CallCost call={call} />
    </p>
  )
}

/** Beside the keypad or the text. */
function SideCaptions() {
  const captions = useStore(callCaptions.$captions)
  return isShown(captions) && <CaptionLines captions={captions} />
}
