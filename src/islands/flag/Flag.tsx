import { useEffect, useRef, useState } from 'react'
import { countryOfIso, flagPath } from '#lib/rules/countries.ts'

export interface FlagProps {
  /** Two letters. */
  readonly isoCode: string
  /** Shown when the image does not load; the country list's when left out. */
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
        {emoji ?? countryOfIso(isoCode)?.emoji ?? isoCode}
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
