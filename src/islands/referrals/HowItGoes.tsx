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
        How it goes
      </h2>
      <ol className="steps3 three">
        <li>
          <div>
            <b>Share your link</b>
            <p className="soft small">The browser in which somebody opens it remembers you for 60 days.</p>
          </div>
        </li>
        <li>
          <div>
            <b>They buy credits</b>
            <p className="soft small">
              Whoever signs up or first buys there counts as yours. A payment of {paid} or more earns, once
              they cannot ask for a refund any more: after {refundDays} days.
            </p>
          </div>
        </li>
        <li>
          <div>
            <b>You get {earned}</b>
            <p className="soft small">
              In credits that never expire, once for each person, and up to {shortUsd(monthlyMost)} a month.
              We write to you when it is there.
            </p>
          </div>
        </li>
      </ol>
      <p className={`soft small ${styles.terms}`}>
        Nobody refers themselves: an account, card, device or mailbox of your own earns nothing, and one card
        or mailbox earns once. A payment that is returned, disputed or reported as fraud by then earns
        nothing. A reward that was given stays yours. You can call with it; it cannot go to a card.
      </p>
      <p className="small">
        Would you rather give than share? <a href="/send-a-line">Send a line</a>, a booklet of credits.
      </p>
    </section>
  )
}
