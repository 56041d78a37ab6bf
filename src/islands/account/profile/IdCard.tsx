import { useStore } from '@nanostores/react'
import type { Profile } from '#lib/api/profile.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { $callerIds, $callFrom } from '#shared/caller-ids/caller-ids.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import styles from './profile.module.css'
import { texts } from './texts.ts'
import { dayOf } from './wording.ts'

const crests = 't18 0'.repeat(6)
const waves = [12, 30, 48, 66].map(y => `M2 ${y}q9-8 18 0${crests}`).join('')

export function IdCard({ profile }: { readonly profile: Profile }) {
  const { format } = useStore($formatNumber)
  const verified = useStore($callerIds)
  const number = useStore($callFrom) ?? verified?.[0]
  const at = profile.email.lastIndexOf('@')
  const memberSince = new Date(profile.memberSince)
  return (
    <section className="idcard" aria-label={texts.returnAddress}>
      <div className={styles['address']}>
        <span className="label">{texts.from}</span>
        {profile.name !== null && (
          <p className="line">
            <bdi>{profile.name}</bdi>
          </p>
        )}
        <p className="line">
          {/* A long address breaks before its @ first. */}
          <bdi>
            {profile.email.slice(0, at)}
            <wbr />
            {profile.email.slice(at)}
          </bdi>
        </p>
        {number !== undefined && (
          <p className="line num">
            <bdi dir="ltr">{format(number, '')}</bdi>
          </p>
        )}
      </div>
      <div className="stamp" aria-hidden="true">
        <div className="plate r">
          <img src="/art/wires.svg" alt="" width="200" height="200" />
        </div>
      </div>
      <svg className="postmark" viewBox="0 0 150 84" aria-hidden="true">
        <path d={waves} />
      </svg>
      <dl>
        <div>
          <dt>{texts.balance}</dt>
          <dd className="num">
            <bdi dir="ltr">{formatBalance(usdToMicroUsd(profile.credits))}</bdi>
          </dd>
        </div>
        <div>
          <dt>{texts.memberSince}</dt>
          <dd>
            <time dateTime={profile.memberSince}>{dayOf(memberSince)}</time>
          </dd>
        </div>
      </dl>
    </section>
  )
}
