import { Mail } from 'lucide-react'
import type { UnredeemedGift } from '#lib/api/gifts.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import styles from './profile.module.css'

const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))

/** Names longer lists only by their sum. */
const longest = 5

/** What becomes of the booklets that nobody has redeemed, and how to have their money back first. */
export function LeftBooklets({ booklets }: { readonly booklets: readonly UnredeemedGift[] }) {
  if (booklets.length === 0) return null
  const sum = dollars(booklets.reduce((total, { amount }) => total + amount, 0))
  const one = booklets.length === 1
  const more = booklets.length - longest
  return (
    <div className="note">
      <Mail className="i" aria-hidden="true" />
      <div className={styles['booklets']}>
        <p>
          {one ? "A booklet you sent hasn't" : `${booklets.length} booklets you sent, ${sum} in all, haven't`}{' '}
          been redeemed yet:
        </p>
        <ul>
          {booklets.slice(0, longest).map(({ toName, amount }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while the dialog is open.
            <li key={n}>
              for <bdi>{toName === '' ? 'somebody' : toName}</bdi>,{' '}
              <span className="num">{dollars(amount)}</span>
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
        <p>
          {fateText(booklets)} <a href="/send-a-line#sent-heading">Get {one ? 'its' : 'their'} money back</a>{' '}
          first if you want it.
        </p>
      </div>
    </div>
  )
}

function fateText(booklets: readonly UnredeemedGift[]): string {
  const one = booklets.length === 1
  if (booklets.some(({ state }) => state === 'in_review'))
    return one
      ? "It's under review. You can delete your account once it's refunded or the review is over."
      : "One or more are under review. You can delete your account once they're refunded or the review is over."
  if (booklets.some(({ state }) => state === 'on_hold'))
    return `Your account is restricted, so nobody can redeem ${one ? 'it' : 'them'}, even after you delete it.`
  return one
    ? "Whoever has its code can still redeem it when you're gone. You won't see the code any more."
    : "Whoever has their codes can still redeem them when you're gone. You won't see the codes any more."
}
