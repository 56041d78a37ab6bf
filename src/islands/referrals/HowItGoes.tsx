import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { refundDays } from '#lib/money/refunds.ts'
import styles from './referrals.module.css'
import { shortUsd } from './wording.ts'

type Terms = Pick<Reply<typeof referrals>, 'reward' | 'leastPayment' | 'monthlyMost'>

export function HowItGoes({ reward, leastPayment, monthlyMost }: Terms) {
  const [earned, paid] = [shortUsd(reward), shortUsd(leastPayment)]
  return (
    <section className="band" aria-labelledby="how-heading">
      <h2 id="how-heading" className={styles.heading}>
        How it works
      </h2>
      <ol className="steps3 three">
        <li>
          <div>
            <b>Share your link</b>
            <p className="soft small">When someone opens it, their browser remembers you for 60 days.</p>
          </div>
        </li>
        <li>
          <div>
            <b>They buy credits</b>
            <p className="soft small">
              Anyone who signs up or first buys there counts as yours. A payment of {paid} or more earns your
              reward {refundDays} days later, once they can no longer ask for a refund.
            </p>
          </div>
        </li>
        <li>
          <div>
            <b>You get {earned}</b>
            <p className="soft small">
              In credits that never expire, once per person, up to {shortUsd(monthlyMost)} a month. We'll
              e-mail you when it arrives.
            </p>
          </div>
        </li>
      </ol>
      <p className={`soft small ${styles.terms}`}>
        You can't refer yourself: your own account, card, device or mailbox earns nothing, and each card or
        mailbox earns only once. A payment that's refunded, disputed or reported as fraud by then earns
        nothing. A reward you've received stays yours. You can call with it, but not have it paid to a card.
      </p>
      <p className={`small ${styles.gift}`}>
        Would you rather give than share? <a href="/send-a-line">Send a line</a>, a booklet of credits.
      </p>
    </section>
  )
}
