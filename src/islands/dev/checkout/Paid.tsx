import { useEffect, useRef } from 'react'
import type { CheckoutView } from '#lib/api/local-checkout.ts'
import { company } from '#lib/company.ts'
import { dollars } from './Order.tsx'

function CheckoutEvents({ events }: { readonly events: CheckoutView['events'] }) {
  const paid = events.findLast(({ type }) => type === 'checkout.completed')
  if (paid === undefined) return null
  const code = <code>{paid.type}</code>
  if (paid.delivered) {
    return (
      <>
        The webhook {code} was delivered and answered {paid.answer}.
      </>
    )
  }
  if (paid.answer === null) return <>The webhook {code} is on its way.</>
  return (
    <>
      The webhook {code} was answered {paid.answer} and goes out again.
    </>
  )
}

/** The payment succeeded, now or on an earlier visit. */
export function Paid({ view, leaving }: { readonly view: CheckoutView; readonly leaving: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form, which had the focus, is gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="wrap">
      <div className="checkout done2">
        <svg className="postmark" viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r="47" />
          <circle cx="50" cy="50" r="38" />
          <path d="m34 51 11 11 21-24" strokeWidth="4" />
        </svg>
        <h1 ref={heading} tabIndex={-1}>
          {leaving ? `Paid, ${dollars(view.amount)}` : 'This has already been paid'}
        </h1>
        <p className="soft" role="status">
          {leaving ? `Going back to ${company.name}. ` : `${dollars(view.amount)} was paid once. `}
          <CheckoutEvents events={view.events} />
        </p>
        <a className="btn primary big" href={view.successUrl}>
          Go back now
        </a>
      </div>
    </div>
  )
}
