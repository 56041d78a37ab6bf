import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import styles from './referrals.module.css'
import { shortUsd } from './wording.ts'

type Terms = Pick<Reply<typeof referrals>, 'reward' | 'leastPayment'>

/** The rules, with the figures that the server goes by. */
export function HowItGoes({ reward, leastPayment }: Terms) {
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
              Whoever signs up or first buys there counts as yours. Their first payment of {paid} or more
              earns.
            </p>
          </div>
        </li>
        <li>
          <div>
            <b>You get {earned}</b>
            <p className="soft small">
              In credits that never expire, once for each person. We write to you when it is there.
            </p>
          </div>
        </li>
      </ol>
      <p className={`soft small ${styles.terms}`}>
        Nobody refers themselves: an account, card or device of your own earns nothing. If refunds or disputes
        leave less than {paid} of that payment, the reward is taken back. What you have spent of it by then
        you do not owe.
      </p>
    </section>
  )
}
