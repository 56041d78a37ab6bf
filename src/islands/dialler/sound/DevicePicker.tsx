import { type ReactNode, useState } from 'react'
import type { SoundDevice, SoundKind } from './chosen-sound.ts'
import styles from './line-check.module.css'
import { chooseSound, type SoundChoice } from './sound-devices.ts'

const titles: Readonly<Record<SoundKind, string>> = { microphone: 'Microphone', speaker: 'Speaker' }

export interface DevicePickerProps {
  readonly kind: SoundKind
  readonly choice: SoundChoice
  /** True when the browser leaves the choice to the system. */
  readonly fixed?: boolean
  readonly onChosen?: () => void
  readonly children: ReactNode
}

/** The microphones or speakers of this browser. A choice takes effect at once. */
export function DevicePicker({ kind, choice, fixed = false, onChosen, children }: DevicePickerProps) {
  const { devices, used, missing } = choice
  const [refused, setRefused] = useState(false)
  const choose = async (device: SoundDevice | null) => {
    setRefused(!(await chooseSound(kind, device)))
    onChosen?.()
  }
  return (
    <fieldset className={`devices ${styles['devices']}`}>
      <legend className="label">{titles[kind]}</legend>
      {fixed ? (
        <p className="small soft">Your system chooses the speaker: this browser doesn't let pages do that.</p>
      ) : (
        [null, ...devices].map(device => (
          <label key={device?.id ?? ''}>
            <input
              type="radio"
              name={kind}
              checked={device?.id === used?.id}
              onChange={() => void choose(device)}
            />
            <bdi>{device?.label ?? 'System default'}</bdi>
          </label>
        ))
      )}
      <p className={`small ${styles['trouble']}`} role="status">
        {missing !== null && !fixed && (
          <>
            <bdi>{missing.label}</bdi> isn't connected. We'll use the system default until it's back.
          </>
        )}
        {refused && "We couldn't switch this call to it. We'll try again on your next call."}
      </p>
      {children}
    </fieldset>
  )
}
