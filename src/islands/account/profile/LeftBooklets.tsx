import { Mail } from 'lucide-react'
import type { UnredeemedGift } from '#lib/api/gifts.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { deletion } from './deletion-texts.ts'
import styles from './profile.module.css'

const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))

/** Names longer lists only by their sum. */
const longest = 5

/** What becomes of the booklets that nobody has redeemed, and how to have their money back first. */
export function LeftBooklets({ booklets }: { readonly booklets: readonly UnredeemedGift[] }) {
  if (booklets.length === 0) return null
  const sum = dollars(booklets.reduce((total, { amount }) => total + amount, 0))
  const count = booklets.length
  const more = count - longest
  return (
    <div className="note">
      <Mail className="i" aria-hidden="true" />
      <div className={styles['booklets']}>
        <p>{deletion.booklets({ count, sum })}</p>
        <ul>
          {booklets.slice(0, longest).map(({ toName, amount }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while the dialog is open.
            <li key={n}>
              {deletion.booklet({
                recipient: toName === '' ? deletion.somebody : toName,
                sum: dollars(amount),
                name: recipient => <bdi key="name">{recipient}</bdi>,
                amount: sum => (
                  <span key="amount" className="num">
                    {sum}
                  </span>
                ),
              })}
            </li>
          ))}
          {more > 0 && <li>{deletion.moreBooklets({ count: more })}</li>}
        </ul>
        <p>
          {fateText(booklets)}{' '}
          {deletion.moneyBack({
            count,
            sent: label => (
              <a key="sent" href={localPath('/send-a-line#sent-heading')}>
                {label}
              </a>
            ),
          })}
        </p>
      </div>
    </div>
  )
}

function fateText(booklets: readonly UnredeemedGift[]): string {
  const count = booklets.length
  if (booklets.some(({ state }) => state === 'in_review')) return deletion.inReview({ count })
  return booklets.some(({ state }) => state === 'on_hold')
    ? deletion.onHold({ count })
    : deletion.redeemable({ count })
}
