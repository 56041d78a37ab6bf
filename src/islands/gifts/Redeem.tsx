import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { Envelope } from './Envelope.tsx'
import styles from './redeem.module.css'
import {
  $code,
  $redemption,
  forgetCode,
  lookUp,
  openRedeem,
  type Redemption,
  redeem,
  signIn,
  typeCode,
} from './redeem.ts'
import { dollars } from './wording.ts'

/** Rendered in the browser only: the code is in the fragment, which no server sees. */
export function Redeem() {
  const redemption = useStore($redemption)
  const heading = useRef<HTMLHeadingElement>(null)
  const { state } = redemption
  useEffect(() => {
    void openRedeem()
    const openAgain = () => void openRedeem()
    window.addEventListener('hashchange', openAgain)
    return () => window.removeEventListener('hashchange', openAgain)
  }, [])
  // What was pressed is gone: the new heading gets the focus.
  useEffect(() => {
    if (state === 'found' || state === 'redeemed') heading.current?.focus()
  }, [state])
  return (
    <div className={styles['redeem']}>
      <h1 ref={heading} tabIndex={-1}>
        <Heading {...redemption} />
      </h1>
      <Content {...redemption} />
    </div>
  )
}

function Heading(redemption: Redemption) {
  switch (redemption.state) {
    case 'found':
      return (
        <>
          <bdi>{redemption.gift.fromName || 'Somebody'}</bdi> sent you a line
        </>
      )
    case 'redeemed':
      return <>{dollars(redemption.gift.amount)} is in your balance</>
    case 'visitor':
      return <>Somebody sent you a line</>
    case 'loading':
    case 'asking':
      return <>Redeem a booklet</>
    default:
      return redemption satisfies never
  }
}

function Content(redemption: Redemption) {
  switch (redemption.state) {
    case 'loading':
      return <p className="soft">Opening…</p>
    case 'asking':
      return <CodeForm fault={redemption.fault} />
    case 'visitor':
      return (
        <>
          <Envelope toName="You" fromName="" message="" usd={null} />
          <p className={styles['lede']}>
            We've kept your code. Sign up with your e-mail address, or log in, to see who sent it and redeem
            the credits. It takes two minutes and no card.
          </p>
          <div className={styles['go']}>
            <button type="button" className="btn primary big" onClick={() => signIn('/register')}>
              Sign up
            </button>
            <button type="button" className="btn big" onClick={() => signIn('/login')}>
              Log in
            </button>
          </div>
          <OtherCode />
        </>
      )
    case 'found':
      return <Found {...redemption} />
    case 'redeemed':
      return (
        <>
          <svg className={`postmark ${styles['done']}`} viewBox="0 0 100 100" aria-hidden="true">
            <circle cx="50" cy="50" r="47" />
            <circle cx="50" cy="50" r="38" />
            <path d="M32 51l12 13 24-27" strokeWidth="4" strokeLinejoin="round" />
          </svg>
          <p className={styles['lede']}>
            Your balance is {dollars(redemption.gift.balance)}. Credits never expire. Ring{' '}
            <bdi>{redemption.gift.fromName || 'whoever sent them'}</bdi> to say thank you?
          </p>
          <div className={styles['go']}>
            <a className="btn call big" href="/call">
              <Phone className="i" aria-hidden="true" />
              Make a call
            </a>
          </div>
        </>
      )
    default:
      return redemption satisfies never
  }
}

function Found({ gift, failure }: Extract<Redemption, { state: 'found' }>) {
  const { slow, run } = useBusy()
  const { amount, ...names } = gift
  const press = async (): Promise<'done'> => {
    await redeem()
    return 'done'
  }
  return (
    <>
      <Envelope {...names} usd={amount} />
      <p className={styles['lede']}>
        {dollars(amount)} of credits to call any phone, abroad or at home. They're yours for good.
      </p>
      <FormNote message={failure?.message ?? null} />
      {failure?.unconfirmed === true && (
        <p>
          <a href="/check-email">Send the link again</a>
        </p>
      )}
      <div className={styles['go']}>
        <button type="button" className="btn primary big" onClick={() => run(press)}>
          {slow ? 'Redeeming…' : `Redeem ${dollars(amount)}`}
        </button>
      </div>
      <OtherCode />
    </>
  )
}

function OtherCode() {
  return (
    <p>
      <button type="button" className={styles['link']} onClick={forgetCode}>
        Enter another code
      </button>
    </p>
  )
}

function CodeForm({ fault }: { readonly fault: string | null }) {
  const code = useStore($code)
  const { slow, run } = useBusy()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    run(async () => {
      await lookUp()
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return 'done'
    })
  }
  return (
    <form className={styles['codeform']} method="post" noValidate onSubmit={submit}>
      <p className={styles['lede']}>
        Did somebody send you an envelope? Enter its code. Capitals, spaces and dashes don't matter.
      </p>
      <Field id="gift-code" label="Your code" hint="Five groups of four" fault={fault}>
        <input
          className="input num"
          id="gift-code"
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          placeholder="ABCD-EFGH-JKMN-PQRS-TVWX"
          required
          value={code}
          onChange={event => typeCode(event.currentTarget.value)}
          {...described('gift-code', 'hint', fault)}
        />
      </Field>
      <SubmitButton className="btn primary big" label="Open the envelope" slowLabel="Opening…" slow={slow} />
    </form>
  )
}
