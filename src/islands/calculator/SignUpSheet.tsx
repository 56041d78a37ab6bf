import { localPath } from '#lib/i18n/path.ts'
import { AddressedEnvelope, PendingCallText, usePendingCall } from '#shared/sign-up/AddressedEnvelope.tsx'
import { SignUpForm } from '#shared/sign-up/SignUpForm.tsx'
import { CloseButton, Modal } from '#ui/Modal.tsx'
import styles from './sign-up-sheet.module.css'
import { signUp } from './sign-up-texts.ts'

const headingId = 'sign-up-sheet'

export interface SignUpSheetProps {
  /** Name of the global in which the referral script stores its value. */
  readonly referralValue: string
  readonly onClose: () => void
}

/** Signing up over the addressed envelope, without leaving the page. */
export function SignUpSheet({ referralValue, onClose }: SignUpSheetProps) {
  const call = usePendingCall()
  return (
    <Modal labelledBy={headingId} className={`tall ${styles['sheet']}`} onClose={onClose}>
      <header>
        <h2 id={headingId}>{signUp.title}</h2>
        <CloseButton />
      </header>
      <div className="in">
        <SignUpForm referralValue={referralValue} className={styles['form'] ?? ''}>
          {call !== null && (
            <>
              <AddressedEnvelope call={call} />
              <PendingCallText call={call} />
            </>
          )}
        </SignUpForm>
        <p className={styles['foot']}>
          {signUp.accept({
            terms: label => (
              <a key="terms" href={localPath('/terms')}>
                {label}
              </a>
            ),
            privacy: label => (
              <a key="privacy" href={localPath('/privacy')}>
                {label}
              </a>
            ),
            login: label => (
              <a key="login" href={localPath('/login')}>
                {label}
              </a>
            ),
          })}
        </p>
      </div>
    </Modal>
  )
}
