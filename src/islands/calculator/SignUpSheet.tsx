import { AddressedEnvelope, PendingCallText, usePendingCall } from '#shared/sign-up/AddressedEnvelope.tsx'
import { SignUpForm } from '#shared/sign-up/SignUpForm.tsx'
import { CloseButton, Modal } from '#ui/Modal.tsx'
import styles from './sign-up-sheet.module.css'

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
        <h2 id={headingId}>Your first call is free</h2>
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
          By registering you accept the <a href="/terms">Terms</a> and <a href="/privacy">Privacy Policy</a>.
          Have an account? <a href="/login">Login</a>
        </p>
      </div>
    </Modal>
  )
}
