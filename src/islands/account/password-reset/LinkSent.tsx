import { useEffect, useRef } from 'react'
import { resetLinkMinutes } from '#lib/account/account.ts'
import type { SentMail } from '#shared/sign-up/sent-mail.ts'
import { MailAddress } from '../registration/MailAddress.tsx'
import { SendAgain } from '../registration/SendAgain.tsx'
import { EnvelopeMark } from '../registration/VerificationMarks.tsx'
import { linkEmailId } from './AskForLink.tsx'
import { forgetResetMail, requestReset } from './reset-password.ts'
import { texts } from './texts.ts'

/** The text is the same whether or not the address has an account, so that it does not reveal accounts. */
export function LinkSent({ sent }: { readonly sent: SentMail }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form, which had the focus, is gone. On unmount the form comes back.
  useEffect(() => {
    heading.current?.focus()
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.getElementById(linkEmailId)?.focus()
      })
    }
  }, [])
  return (
    <div className="lost">
      <EnvelopeMark />
      <h1 ref={heading} tabIndex={-1}>
        {texts.sent}
      </h1>
      <p>
        {texts.sentText({
          minutes: resetLinkMinutes,
          address: () => <MailAddress key="address" email={sent.email} />,
        })}
      </p>
      <SendAgain key={sent.email} sent={sent} send={requestReset} />
      <p>{texts.hints}</p>
      <div className="go">
        <button type="button" className="btn" onClick={forgetResetMail}>
          {texts.another}
        </button>
      </div>
    </div>
  )
}
