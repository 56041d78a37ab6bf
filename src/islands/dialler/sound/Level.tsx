import { useStore } from '@nanostores/react'
import type { CSSProperties } from 'react'
import { $microphoneLevel } from './microphone-level.ts'
import { soundTexts } from './sound-texts.ts'

/** The microphone's level, drawn as the postmark's wave. */
export function Level() {
  const level = useStore($microphoneLevel)
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> of their own over the wave
    <span
      className="level"
      role="meter"
      aria-label={soundTexts.level}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={level}
      style={{ '--v': `${level}%` } as CSSProperties}
    />
  )
}
