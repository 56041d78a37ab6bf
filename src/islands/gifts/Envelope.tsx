import type { ReactNode } from 'react'
import { company } from '#lib/company.ts'
import { faceAmount } from '#lib/money/face-value.ts'
import styles from './envelope.module.css'
import { envelope } from './envelope-texts.ts'

export interface EnvelopeProps {
  readonly toName: string
  readonly fromName: string
  readonly message: string
  /** USD; null: not known, so the stamp has no figure. */
  readonly usd: number | null
  readonly children?: ReactNode
}

const waves = [20, 36, 52, 68].map(y => `M4 ${y}q8-7 16 0${'t16 0'.repeat(5)}`).join('')

/** An airmail envelope, on the screen and on paper. Always pale, as paper is. */
export function Envelope({ toName, fromName, message, usd, children }: EnvelopeProps) {
  return (
    <div className={styles['envelope']}>
      <div className={styles['front']}>
        <div className={styles['sender']}>
          <span>{envelope.from}</span>
          <bdi>{fromName || '\u00a0'}</bdi>
        </div>
        <div className={styles['postage']}>
          <svg className={styles['cancel']} viewBox="0 0 104 88" aria-hidden="true">
            <path d={waves} />
          </svg>
          <div className="stamp">
            <div className="plate r">
              <small>{company.name}</small>
              <b className="num">{usd === null ? '\u00a0' : faceAmount(usd)}</b>
              <small>{envelope.forCalls}</small>
            </div>
          </div>
        </div>
        <div className={styles['address']}>
          <span>{envelope.to}</span>
          <bdi>{toName || '\u00a0'}</bdi>
        </div>
        {message !== '' && (
          <p className={styles['message']}>
            <bdi>{message}</bdi>
          </p>
        )}
      </div>
      {children}
    </div>
  )
}
