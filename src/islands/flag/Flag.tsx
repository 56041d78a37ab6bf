import { useEffect, useRef, useState } from 'react'
import { flagEmoji, flagPath } from '#lib/rules/flags.ts'

export interface FlagProps {
  /** Two upper-case letters. */
  readonly isoCode: string
  /** Shown when the image does not load; the code's own when left out. */
  readonly emoji?: string
  /** Pixels to reserve; the style sheets set the size shown. */
  readonly size?: number
}

/** A country's round flag; its emoji where the image fails. Decoration: the country stands beside it in words. */
export function Flag({ isoCode, emoji, size = 32 }: FlagProps) {
  const image = useRef<HTMLImageElement>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const file = flagPath(isoCode)

  // An image in served HTML may have failed before anybody listened.
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
