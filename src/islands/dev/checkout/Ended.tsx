import type { ReactNode } from 'react'

export type EndedProps = {
  readonly title: string
  readonly children: ReactNode
} & (
  | { readonly href: string; readonly link: string; readonly onRetry?: never }
  | { readonly onRetry: () => void; readonly href?: never }
)

/** Shown when nothing can be paid here: why, and where to go. */
export function Ended(props: EndedProps) {
  return (
    <div className="wrap">
      <div className="checkout done2" role="status">
        <h1>{props.title}</h1>
        <p className="soft">{props.children}</p>
        {props.href === undefined ? (
          <button type="button" className="btn primary big" onClick={props.onRetry}>
            Try again
          </button>
        ) : (
          <a className="btn primary big" href={props.href}>
            {props.link}
          </a>
        )}
      </div>
    </div>
  )
}
