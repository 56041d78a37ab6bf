import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { PaneHeader } from '#ui/PaneHeader.tsx'
import { CaptionLines, nameOf } from './CaptionLines.tsx'
import { captionsButtonId } from './CaptionsButton.tsx'
import { captionTexts } from './caption-texts.ts'
import styles from './captions.module.css'
import type { CaptionLanguage, ShownCaptions } from './captions.ts'
import { callCaptions } from './dialler-captions.ts'

export interface CaptionsPaneProps {
  readonly captions: ShownCaptions
  /** The callee's, as the call shows it. */
  readonly name: string
  /** Beside the name, such as the time in the call. */
  readonly aside: ReactNode
}

/** What the callee says, in the place of the call's figures. */
export function CaptionsPane({ captions, name, aside }: CaptionsPaneProps) {
  const pane = useRef<HTMLElement>(null)
  const label = useId()
  useLayoutEffect(() => {
    // The button that had the focus is gone. After the keypad, its button keeps it.
    if (document.activeElement === document.body) pane.current?.focus()
  }, [])
  const close = () => {
    flushSync(() => callCaptions.turnOff())
    document.getElementById(captionsButtonId)?.focus()
  }
  return (
    <section ref={pane} className={styles['pane']} aria-label={captionTexts.pane({ name })} tabIndex={-1}>
      <PaneHeader name={name} aside={aside} closeLabel={captionTexts.close} onClose={close} />
      <CaptionLines captions={captions} />
      {captions.state === 'failed' && (
        <button type="button" className="btn" onClick={() => void callCaptions.turnOn(captions.language)}>
          {captionTexts.again}
        </button>
      )}
      <p className={styles['choice']}>
        <label className="label" htmlFor={label}>
          {captionTexts.language}
        </label>
        <select
          id={label}
          className="input"
          value={captions.language}
          onChange={event => void callCaptions.turnOn(event.target.value as CaptionLanguage)}
        >
          {captions.languages.map(language => (
            <option key={language} value={language}>
              {nameOf(language)}
            </option>
          ))}
        </select>
      </p>
      <p className="small soft">{captionTexts.privacy}</p>
    </section>
  )
}
