import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { localPath } from '#lib/i18n/path.ts'
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
import { redeemTexts } from './redeem-texts.ts'
import { dollars } from './wording.ts'

const who = (name: string) => <bdi key="who">{name}</bdi>

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
      return redemption.gift.fromName === ''
        ? redeemTexts.somebodySentYou
        : redeemTexts.sentYou({ name: redemption.gift.fromName, who })
    case 'redeemed':
      return redeemTexts.inBalance({ amount: dollars(redemption.gift.amount) })
    case 'visitor':
      return redeemTexts.somebodySentYou
    case 'loading':
    case 'asking':
      return redeemTexts.title
    default:
      return redemption satisfies never
  }
}

function Content(redemption: Redemption) {
  switch (redemption.state) {
    case 'loading':
      return <p className="soft">{redeemTexts.opening}</p>
    case 'asking':
      return <CodeForm fault={redemption.fault} />
    case 'visitor':
      return (
        <>
          <Envelope toName={redeemTexts.you} fromName="" message="" usd={null} />
          <p className={styles['lede']}>{redeemTexts.visitor}</p>
          <div className={styles['go']}>
            <button type="button" className="btn primary big" onClick={() => signIn('/register')}>
              {redeemTexts.signUp}
            </button>
            <button type="button" className="btn big" onClick={() => signIn('/login')}>
              {redeemTexts.logIn}
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
            {redemption.gift.fromName === ''
              ? redeemTexts.thankSomebody({ balance: dollars(redemption.gift.balance) })
              : redeemTexts.thank({
                  balance: dollars(redemption.gift.balance),
                  name: redemption.gift.fromName,
                  who,
                })}
          </p>
          <div className={styles['go']}>
            <a className="btn call big" href={localPath('/call')}>
              <Phone className="i" aria-hidden="true" />
              {redeemTexts.call}
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
      <p className={styles['lede']}>{redeemTexts.yours({ amount: dollars(amount) })}</p>
      <FormNote message={failure?.message ?? null} />
      {failure?.unconfirmed === true && (
        <p>
          <a href={localPath('/check-email')}>{redeemTexts.sendAgain}</a>
        </p>
      )}
      <div className={styles['go']}>
        <button type="button" className="btn primary big" onClick={() => run(press)}>
          {slow ? redeemTexts.redeeming : redeemTexts.redeem({ amount: dollars(amount) })}
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
        {redeemTexts.otherCode}
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
      <p className={styles['lede']}>{redeemTexts.enter}</p>
      <Field id="gift-code" label={redeemTexts.code} hint={redeemTexts.codeHint} fault={fault}>
        <input
          className="input num"
          dir="ltr"
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
      <SubmitButton
        className="btn primary big"
        label={redeemTexts.open}
        slowLabel={redeemTexts.opening}
        slow={slow}
      />
    </form>
  )
}
