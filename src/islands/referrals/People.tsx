import { Mail } from 'lucide-react'
import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import styles from './referrals.module.css'
import { day, shortUsd, stateText } from './wording.ts'

type Counts = Pick<Reply<typeof referrals>, 'joined' | 'paid' | 'earned' | 'people' | 'reward'>

const usd = (amountUsd: number) => formatBalance(usdToMicroUsd(amountUsd))

/** How many joined, what that earned, and their addresses, masked to what a friend needs to recognise them. */
export function People({ joined, paid, earned, people, reward }: Counts) {
  const sums = [
    ['Joined', joined],
    ['Rewards', paid],
    ['Earned', usd(earned)],
  ] as const
  return (
    <>
      <dl className="rates three">
        {sums.map(([label, figure]) => (
          <div key={label}>
            <dt className="label">{label}</dt>
            <dd className="fig num">{figure}</dd>
          </div>
        ))}
      </dl>
      <section className={`band ${styles.people}`} aria-labelledby="joined-heading">
        <h2 id="joined-heading" className={styles.heading}>
          Who joined
        </h2>
        <ul className="rows">
          {people.map(person => (
            <li key={`${person.joinedAt} ${person.email}`}>
              <Mail className="i" />
              <div>
                <b className={styles.address}>{person.email}</b>
                <small className="num">
                  <time dateTime={person.joinedAt}>{day(person.joinedAt)}</time>
                </small>
              </div>
              <span className={`small ${styles.state} ${person.state === 'paid' ? '' : 'soft'}`}>
                {stateText[person.state]}
                {person.earned > 0 && <b className="num">+{usd(person.earned)}</b>}
                {person.dueAt !== null && (
                  <span className="num">
                    {shortUsd(reward)} on <time dateTime={person.dueAt}>{day(person.dueAt)}</time>
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
        {joined > people.length && (
          <p className="soft small">
            The newest {people.length} of {joined}.
          </p>
        )}
      </section>
    </>
  )
}
