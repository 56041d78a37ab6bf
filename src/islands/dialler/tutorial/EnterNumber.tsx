import { useStore } from '@nanostores/react'
import { Check, PhoneOutgoing } from 'lucide-react'
import { type ChangeEvent, useEffect, useLayoutEffect, useRef } from 'react'
import styles from './tutorial.module.css'
import { keepDigits } from './tutorial.ts'
import { tutorialTexts } from './tutorial-texts.ts'
import { wizard } from './wizard.ts'

export function EnterNumber({ phoneNumber }: { readonly phoneNumber: string }) {
  const fullNumber = useStore(wizard.$fullNumber)
  const field = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  useEffect(() => field.current?.focus(), [])
  // When characters of an edit are dropped, the caret would otherwise jump to the end.
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  const edit = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = currentTarget
    caret.current = keepDigits(value.slice(0, selectionStart ?? value.length)).length
    wizard.setNumber(value)
  }

  return (
    <>
      <div className="field">
        <label htmlFor="tutorial-number">{tutorialTexts.number}</label>
        <input
          ref={field}
          id="tutorial-number"
          className={`input num ${styles['number']}`}
          type="tel"
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="next"
          aria-describedby="tutorial-full-number"
          value={phoneNumber}
          onChange={edit}
        />
      </div>
      <p className="note">
        <PhoneOutgoing className="i" aria-hidden="true" />
        <span id="tutorial-full-number">
          {tutorialTexts.weWillDial({
            phone: fullNumber,
            number: text => (
              <b key="number" className="num">
                {text}
              </b>
            ),
          })}
        </span>
      </p>
      <ul className="tips">
        {[tutorialTexts.tipZeros, tutorialTexts.tipCode, tutorialTexts.tipMobile].map(tip => (
          <li key={tip} className="tick">
            <Check className="i" aria-hidden="true" />
            {tip}
          </li>
        ))}
      </ul>
    </>
  )
}
