import { useStore } from '@nanostores/react'
import { type Grade, qualityWords } from '#lib/rules/quality.ts'
import { $quality } from '#stores/line-quality.ts'
import styles from './in-call.module.css'

const bars = [1, 2, 3] as const
const lit: Readonly<Record<Grade, number>> = { good: 3, weak: 2, poor: 1 }

/** How good the line is, in bars and in words; nothing while that is not known. Not announced: the slot says what matters. */
export function LineBars() {
  const quality = useStore($quality)
  const words = qualityWords(quality)
  if (words === null || quality.grade === null) return null
  const count = quality.fault === 'silence' ? 0 : lit[quality.grade]
  return (
    <span>
      <span className={`bars ${styles.bars}`} aria-hidden="true">
        {bars.map(bar => (
          <i key={bar} className={bar > count ? 'off' : ''} />
        ))}
      </span>
      {words}
    </span>
  )
}

/** The same where the keypad leaves no other room: at the end of the slot, until that has something to say. */
export function QualityAside() {
  return (
    <p className={`meta ${styles.aside}`}>
      <LineBars />
    </p>
  )
}
