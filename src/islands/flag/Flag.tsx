import { useEffect, useRef, useState } from 'react'

export interface FlagProps {
  /** Two letters. */
  readonly isoCode: string
  /** Shown when the image does not load; made from the code when left out. */
  readonly emoji?: string
  /** Pixels to reserve; the style sheets set the size shown. */
  readonly size?: number
}

const regionalA = 0x1f1e6

function emojiOf(isoCode: string): string {
  return isoCode
    .toUpperCase()
    .replace(/[A-Z]/g, letter => String.fromCodePoint(regionalA + letter.charCodeAt(0) - 65))
}

/** A country's round flag; its emoji where the image fails. Decoration: the country stands beside it in words. */
export function Flag({ isoCode, emoji, size = 32 }: FlagProps) {
  const image = useRef<HTMLImageElement>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const file = `/flags/${isoCode.toLowerCase()}.svg`

  // An image in served HTML may have failed before anybody listened.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) setBroken(file)
  }, [file])

  if (broken === file) {
    return (
      <span className="flag" aria-hidden="true">
        {emoji ?? emojiOf(isoCode)}
      </span>
    )
  }
  return (
    <img
      ref={image}
      className="flag"
      src={file}
      alt=""
      width={size}
      height={size}
      onError={() => setBroken(file)}
    />
  )
}
