import { useEffect, useRef, useState } from 'react'
import { flagEmoji, flagPath } from '#lib/numbers/flags.ts'

export interface FlagProps {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly isoCode: string
  /** Shown when the image fails to load; derived from the code by default. */
  readonly emoji?: string
  /** Pixels to reserve. The style sheets set the displayed size. */
  readonly size?: number
}

/** A country's round flag, or its emoji if the image fails. Decoration: the country is named beside it. */
export function Flag({ isoCode, emoji, size = 32 }: FlagProps) {
  const image = useRef<HTMLImageElement>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const file = flagPath(isoCode)

  // The image may have failed before hydration, so no error event will follow.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) setBroken(file)
  }, [file])

  if (broken === file) {
    return (
      <span className="flag" aria-hidden="true">
        {emoji ?? flagEmoji(isoCode)}
      </span>
    )
  }
  return (
    <img
      ref={image}
      className="flag"
      src={file}
      alt=""
      loading="lazy"
      width={size}
      height={size}
      onError={() => setBroken(file)}
    />
  )
}
