import { useStore } from '@nanostores/react'
import { type Grade, qualityLabel } from '#voice/quality.ts'
import styles from './in-call.module.css'
import { $quality } from './line-quality.ts'

const bars = [1, 2, 3] as const
const lit: Readonly<Record<Grade, number>> = { good: 3, weak: 2, poor: 1 }

/** Call quality in bars and text; nothing while unknown. Not announced: the status line says what matters. */
export function LineBars() {
  const quality = useStore($quality)
  const label = qualityLabel(quality)
  if (label === null || quality.grade === null) return null
  const count = quality.fault === 'silence' ? 0 : lit[quality.grade]
  return (
    <span>
      <span className={`bars ${styles.bars}`} aria-hidden="true">
        {bars.map(bar => (
          <i key={bar} className={bar > count ? 'off' : ''} />
        ))}
      </span>
      {label}
    </span>
  )
}

/** The same for the keypad's view: at the end of the status line while it has no message. */
export function QualityAside() {
  return (
    <p className={`meta ${styles.aside}`}>
      <LineBars />
    </p>
  )
}
