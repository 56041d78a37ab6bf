import type { Reply } from '#lib/api/endpoint.ts'
import type { referrals } from '#lib/api/referrals.ts'
import { localPath } from '#lib/i18n/path.ts'
import { refundDays } from '#lib/money/refunds.ts'
import styles from './referrals.module.css'
import { texts } from './texts.ts'
import { shortUsd } from './wording.ts'

type Terms = Pick<Reply<typeof referrals>, 'reward' | 'leastPayment' | 'monthlyMost'>

export function HowItGoes({ reward, leastPayment, monthlyMost }: Terms) {
  return (
    <section className="band" aria-labelledby="how-heading">
      <h2 id="how-heading" className={styles.heading}>
        {texts.how}
      </h2>
      <ol className="steps3 three">
        <li>
          <div>
            <b>{texts.share}</b>
            <p className="soft small">{texts.shareText}</p>
          </div>
        </li>
        <li>
          <div>
            <b>{texts.theyBuy}</b>
            <p className="soft small">
              {texts.theyBuyText({ min: shortUsd(leastPayment), days: refundDays })}
            </p>
          </div>
        </li>
        <li>
          <div>
            <b>{texts.youGet({ reward: shortUsd(reward) })}</b>
            <p className="soft small">{texts.youGetText({ max: shortUsd(monthlyMost) })}</p>
          </div>
        </li>
      </ol>
      <p className={`soft small ${styles.terms}`}>{texts.terms}</p>
      <p className={`small ${styles.gift}`}>
        {texts.give({
          send: label => (
            <a key="send" href={localPath('/send-a-line')}>
              {label}
            </a>
          ),
        })}
      </p>
    </section>
  )
}
