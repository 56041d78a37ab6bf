import { type ReactNode, useLayoutEffect, useRef } from 'react'

export interface GrowingTextProps {
  readonly label: string
  readonly className: string | undefined
  readonly children: ReactNode
}

/** How far from its end, in pixels, the text still counts as read to the end. */
const nearEndPx = 48

/** A text that grows. Its end stays in view unless the user has scrolled back. */
export function GrowingText({ label, className, children }: GrowingTextProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight
  })
  const noteScroll = () => {
    const element = scroller.current
    if (element === null) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups text, not fields.
    <div
      ref={scroller}
      className={className}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      onScroll={noteScroll}
    >
      {children}
    </div>
  )
}
