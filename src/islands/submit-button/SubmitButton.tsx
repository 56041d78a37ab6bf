import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import styles from './submit-button.module.css'

export interface SubmitButtonProps {
  readonly label: string
  /** Shown while the work lasts, `Registering…`. */
  readonly slowLabel: string
  readonly slow: boolean
  readonly className?: string
}

/**
 * Sends its form. In served HTML it is inert until the script runs: a form sent by the browser itself would
 * put what was typed where it does not belong.
 */
export function SubmitButton({
  label,
  slowLabel,
  slow,
  className = 'btn primary big wide',
}: SubmitButtonProps) {
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return (
    <>
      <button type={ready ? 'submit' : 'button'} className={className} aria-disabled={slow || undefined}>
        {slow && <LoaderCircle className={`i ${styles.ring}`} />}
        {slow ? slowLabel : label}
      </button>
      <span className="sr" role="status">
        {slow ? slowLabel : ''}
      </span>
    </>
  )
}
