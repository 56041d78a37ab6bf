import { type ReactNode, useState } from 'react'
import type { SoundDevice, SoundKind } from './chosen-sound.ts'
import styles from './line-check.module.css'
import { chooseSound, type SoundChoice } from './sound-devices.ts'
import { soundTexts } from './sound-texts.ts'

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
      <legend className="label">{kind === 'microphone' ? soundTexts.microphone : soundTexts.speaker}</legend>
      {fixed ? (
        <p className="small soft">{soundTexts.systemChooses}</p>
      ) : (
        [null, ...devices].map(device => (
          <label key={device?.id ?? ''}>
            <input
              type="radio"
              name={kind}
              checked={device?.id === used?.id}
              onChange={() => void choose(device)}
            />
            <bdi>{device?.label ?? soundTexts.systemDefault}</bdi>
          </label>
        ))
      )}
      <p className={`small ${styles['trouble']}`} role="status">
        {missing !== null &&
          !fixed &&
          soundTexts.missing({ name: missing.label, device: text => <bdi key="device">{text}</bdi> })}
        {refused && soundTexts.refused}
      </p>
      {children}
    </fieldset>
  )
}
