import type { ReactNode } from 'react'

export interface SectionProps {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}

export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section className="formset" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </header>
      <div>{children}</div>
    </section>
  )
}
