import { LoaderCircle } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './submit-button.module.css'

export interface SubmitButtonProps {
  readonly label: string
  /** Shown during slow work: `Registering…`. */
  readonly slowLabel: string
  readonly slow: boolean
  readonly className?: string
  readonly disabled?: boolean
  /** Shown before the label; replaced by the spinner. */
  readonly icon?: ReactNode
}

/** If the page held a press back before hydration (`EarlySubmit.astro`), it is submitted now with what was typed. */
export function SubmitButton({
  label,
  slowLabel,
  slow,
  className = 'btn primary big wide',
  disabled = false,
  icon,
}: SubmitButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const form = button.current?.form
    if (!form) return
    form.dataset.ready = ''
    if (form.dataset.pressed === undefined) return
    delete form.dataset.pressed
    form.requestSubmit()
  }, [])
  return (
    <>
      <button ref={button} type="submit" className={className} disabled={disabled}>
        {slow ? <LoaderCircle className={`i ${styles.ring}`} /> : icon}
        {slow ? slowLabel : label}
      </button>
      <span className="sr" role="status">
        {slow ? slowLabel : ''}
      </span>
    </>
  )
}
