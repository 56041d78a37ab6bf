import { Mail } from 'lucide-react'
import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import styles from './referrals.module.css'
import { stateTexts, texts } from './texts.ts'
import { day, shortUsd } from './wording.ts'

type Counts = Pick<Reply<typeof referrals>, 'joined' | 'paid' | 'earned' | 'people' | 'reward'>

const usd = (amountUsd: number) => formatBalance(usdToMicroUsd(amountUsd))

/** How many joined, what that earned, and their addresses, masked to what a friend needs to recognise them. */
export function People({ joined, paid, earned, people, reward }: Counts) {
  const sums = [
    [texts.joined, joined],
    [texts.rewards, paid],
    [texts.earned, usd(earned)],
  ] as const
  return (
    <>
      <dl className="rates three">
        {sums.map(([label, figure]) => (
          <div key={label}>
            <dt className="label">{label}</dt>
            <dd className="fig num">
              <bdi dir="ltr">{figure}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <section className={`band ${styles.people}`} aria-labelledby="joined-heading">
        <h2 id="joined-heading" className={styles.heading}>
          {texts.whoJoined}
        </h2>
        <ul className="rows">
          {people.map(person => (
            <li key={`${person.joinedAt} ${person.email}`}>
              <Mail className="i" />
              <div>
                <b className={styles.address}>
                  <bdi>{person.email}</bdi>
                </b>
                <small className="num">
                  <time dateTime={person.joinedAt}>{day(person.joinedAt)}</time>
                </small>
              </div>
              <span className={`small ${styles.state} ${person.state === 'paid' ? '' : 'soft'}`}>
                {stateTexts[person.state]}
                {person.earned > 0 && (
                  <b className="num" dir="ltr">
                    +{usd(person.earned)}
                  </b>
                )}
                {person.dueAt !== null && (
                  <span className="num">
                    {texts.rewardOn({
                      reward: shortUsd(reward),
                      date: day(person.dueAt),
                      day: date => (
                        <time key="day" dateTime={person.dueAt ?? undefined}>
                          {date}
                        </time>
                      ),
                    })}
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
        {joined > people.length && (
          <p className="soft small">
            {texts.newest({ shown: String(people.length), joined: String(joined) })}
          </p>
        )}
      </section>
    </>
  )
}
