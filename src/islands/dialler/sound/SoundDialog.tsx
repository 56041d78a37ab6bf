import { useStore } from '@nanostores/react'
import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { isAnswered, isLive } from '#voice/call.ts'
import { playTestTone } from '#voice/test-tone.ts'
import { $call } from '../call/call.ts'
import { DevicePicker } from './DevicePicker.tsx'
import { Level } from './Level.tsx'
import styles from './line-check.module.css'
import {
  $triedMicrophone,
  closeTried,
  microphoneTrouble,
  tryChosenMicrophone,
  tryMicrophone,
} from './microphone-level.ts'
import { $soundDevices, followSoundDevices, lookAtSoundDevices } from './sound-devices.ts'
import { closeSoundDialog, openSoundDialog } from './sound-dialog.ts'
import { soundTexts } from './sound-texts.ts'

export function SoundDialog() {
  const call = useStore($call)
  const live = isLive(call)
  const answered = isAnswered(call)
  const tried = useStore($triedMicrophone)
  const { microphone, speaker, canChooseSpeaker } = useStore($soundDevices)
  const open = tried.state === 'open'

  useEffect(followSoundDevices, [])
  // A call opens its own microphone and releases it at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the microphone is another one then
  useEffect(() => {
    void tryMicrophone()
    return closeTried
  }, [live, answered])
  // Browsers name devices only after microphone permission.
  useEffect(() => {
    if (open) void lookAtSoundDevices()
  }, [open])

  return (
    <Dialog title={soundTexts.title} onClose={closeSoundDialog} footer={<Footer live={live} />}>
      <DevicePicker kind="microphone" choice={microphone} onChosen={tryChosenMicrophone}>
        {tried.state === 'asking' && <p className="small soft">{soundTexts.allowToChoose}</p>}
        {tried.state === 'failed' && (
          <p className={`small ${styles['trouble']}`} role="alert">
            {microphoneTrouble(tried.code)}
          </p>
        )}
        {open ? (
          <div className="try">
            <span className="small soft">{soundTexts.saySomething}</span>
            <Level />
          </div>
        ) : (
          tried.state === 'failed' && (
            <div className="try">
              <button type="button" className="btn" onClick={() => void tryMicrophone()}>
                {soundTexts.tryAgain}
              </button>
            </div>
          )
        )}
      </DevicePicker>
      <DevicePicker kind="speaker" choice={speaker} fixed={!canChooseSpeaker}>
        <Tone />
      </DevicePicker>
    </Dialog>
  )
}

function Footer({ live }: { readonly live: boolean }) {
  return (
    <>
      {!live && (
        <button type="button" className="btn" onClick={() => openSoundDialog('check')}>
          {soundTexts.checkTitle}
        </button>
      )}
      <button type="button" className="btn primary" onClick={closeSoundDialog}>
        {soundTexts.done}
      </button>
    </>
  )
}

function Tone() {
  const [playing, setPlaying] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const play = async () => {
    if (playing) return
    setPlaying(true)
    setAnnouncement('')
    const played = await playTestTone($soundDevices.get().speaker.used?.id)
    setPlaying(false)
    if (played === 'failed') setAnnouncement(soundTexts.toneFailed)
    if (played === 'played_elsewhere') setAnnouncement(soundTexts.toneElsewhere)
  }
  return (
    <>
      <div className="try">
        <button type="button" className="btn plain" aria-disabled={playing} onClick={() => void play()}>
          <Play className="i" aria-hidden="true" />
          {playing ? soundTexts.playing : soundTexts.playTone}
        </button>
      </div>
      <p className={`small ${styles['trouble']}`} role="status">
        {announcement}
      </p>
    </>
  )
}
