import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { useLate } from '#ui/use-late.ts'
import { Authentication } from './Authentication.tsx'
import { CardForm } from './CardForm.tsx'
import { $localCheckout, loadCheckout } from './local-checkout.ts'
import { Order } from './Order.tsx'
import { Paid } from './Paid.tsx'
import { useAuthentication } from './use-authentication.ts'

export function DevCheckout() {
  const checkout = useStore($localCheckout)
  const bank = useAuthentication()
  const late = useLate(checkout.state === 'loading')
  useEffect(() => {
    void loadCheckout()
  }, [])

  if (checkout.state === 'loading') {
    return (
      <p className="wrap" role="status">
        {late && 'Opening the checkout…'}
      </p>
    )
  }
  if (checkout.state === 'missing') {
    return (
      <Ended title="No such checkout" href="/buy-credits" link="Buy credits">
        Choose an amount on Buy Credits and press Secure Checkout to get here.
      </Ended>
    )
  }
  if (checkout.state === 'failed') {
    return (
      <Ended title="The checkout did not open" onRetry={() => void loadCheckout()}>
        {checkout.message}
      </Ended>
    )
  }
  const { view, leaving } = checkout
  if (view.state === 'paid') return <Paid view={view} leaving={leaving} />
  if (view.state === 'expired') {
    return (
      <Ended title="This checkout has expired" href={view.cancelUrl} link="Go back and start again">
        Nothing was charged.
      </Ended>
    )
  }
  return (
    <div className="wrap">
      <div className="checkout">
        <Order view={view} />
        <CardForm view={view} bank={bank} />
      </div>
      {view.state === 'authenticating' && <Authentication key={bank.given} view={view} bank={bank} />}
    </div>
  )
}

type EndedProps = {
  readonly title: string
  readonly children: ReactNode
} & (
  | { readonly href: string; readonly link: string; readonly onRetry?: never }
  | { readonly onRetry: () => void; readonly href?: never }
)

function Ended(props: EndedProps) {
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
