import { useStore } from '@nanostores/react'
import { X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { maxExtension } from '#lib/numbers/extension.ts'
import { placeCall } from '../call/place-call.ts'
import { $extension, $isEntered, setExtension } from './dial.ts'
import { entryTexts } from './entry-texts.ts'
import styles from './number.module.css'

/** Keeps digits, `*`, `#` and pauses; `;`, `p` and `w` also mean a pause. */
function typable(text: string): string {
  return text
    .replace(/[;pw]/gi, ',')
    .replace(/[^0-9*#,]/g, '')
    .slice(0, maxExtension)
}

/** The extension after the number, played after the answer. Once empty it goes, and the number's `field` gets focus. */
export function Extension({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const extension = useStore($extension)
  const input = useRef<HTMLInputElement>(null)
  // A pause typed in the number's field continues here.
  useEffect(() => {
    if ($extension.get() === ',' && document.activeElement === field.current) input.current?.focus()
  }, [field])

  const remove = () => {
    setExtension('')
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && extension.length === 1) {
      event.preventDefault()
      remove()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat && $isEntered.get()) void placeCall()
  }

  return (
    <span className={styles['extension']}>
      <span className="sr" id="extension-hint">
        {entryTexts.extensionHint}
      </span>
      <input
        ref={input}
        className="num"
        type="tel"
        inputMode="tel"
        enterKeyHint="go"
        autoComplete="off"
        aria-label={entryTexts.extension}
        aria-describedby="extension-hint"
        title={entryTexts.extensionHint}
        size={Math.min(Math.max(extension.length, 3), 9)}
        value={extension}
        onChange={event => setExtension(typable(event.target.value))}
        onKeyDown={onKeyDown}
      />
      <button type="button" aria-label={entryTexts.removeExtension} onClick={remove}>
        <X className="i" aria-hidden="true" />
      </button>
    </span>
  )
}
