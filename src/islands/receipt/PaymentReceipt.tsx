import type { ReceiptRecord } from '#lib/api/payments.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { refundDays } from '#lib/money/refunds.ts'
import { momentInUtc } from '#shared/moment.ts'
import { Head } from './Head.tsx'
import { PaidMark } from './PaidMark.tsx'
import { paymentReceipt } from './payment-receipt-texts.ts'
import styles from './receipt.module.css'
import { texts } from './texts.ts'

const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))

function Item({ automatic, giftFor }: Pick<ReceiptRecord, 'automatic' | 'giftFor'>) {
  if (giftFor === null) return automatic ? paymentReceipt.autoTopUp : paymentReceipt.callingCredits
  if (giftFor === '') return paymentReceipt.bookletForSomebody
  return paymentReceipt.booklet({ who: giftFor, name: text => <bdi key="name">{text}</bdi> })
}

export function PaymentReceipt({ receipt }: { readonly receipt: ReceiptRecord }) {
  const { number, name, email, card, reference, automatic, giftFor, amount, bonus, held, refunded, vat } =
    receipt
  const paidAt = new Date(receipt.paidAt)
  return (
    <article className="paper1">
      <Head vatNumber={vat?.number ?? null}>
        <PaidMark paidAt={paidAt} ringText={paymentReceipt.paidInFull} middle={paymentReceipt.paid} />
      </Head>
      <h1 className={styles['title']}>{paymentReceipt.title}</h1>
      <dl className="facts2">
        <div>
          <dt>{paymentReceipt.number}</dt>
          <dd className="num">
            <bdi>{number}</bdi>
          </dd>
        </div>
        <div>
          <dt>{paymentReceipt.date}</dt>
          <dd className="num">{momentInUtc(paidAt)}</dd>
        </div>
        <div>
          <dt>{paymentReceipt.billedTo}</dt>
          <dd>
            {name !== null && (
              <>
                <bdi>{name}</bdi>
                <br />
              </>
            )}
            <bdi>{email}</bdi>
          </dd>
        </div>
        {card !== null && (
          <div>
            <dt>{paymentReceipt.paidWith}</dt>
            <dd className="num">
              <bdi>{card}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{paymentReceipt.reference}</dt>
          <dd>
            <bdi>{reference}</bdi>
          </dd>
        </div>
      </dl>
      <div className="tear" />
      <table className={styles['items']}>
        <thead>
          <tr>
            <th scope="col">{texts.item}</th>
            <th scope="col" className="r">
              {paymentReceipt.credits}
            </th>
            <th scope="col" className="r">
              {texts.price}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <Item automatic={automatic} giftFor={giftFor} />
            </td>
            <td className="r num">{dollars(amount)}</td>
            <td className="r num">{dollars(amount)}</td>
          </tr>
          {bonus > 0 && (
            <tr>
              <td>{paymentReceipt.bonus}</td>
              <td className="r num">{dollars(bonus)}</td>
              <td className="r num">{dollars(0)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td className="r num">{dollars((usdToMicroUsd(amount) + usdToMicroUsd(bonus)) / 1_000_000)}</td>
            <td className="r num big">{dollars(amount)}</td>
          </tr>
        </tfoot>
      </table>
      {vat !== null && (
        <p className="small">{paymentReceipt.vat({ amount: dollars(vat.amount), percent: vat.percent })}</p>
      )}
      {held > 0 && (
        <p className="small">
          {giftFor === null
            ? paymentReceipt.creditsHeld({ amount: dollars(held) })
            : paymentReceipt.bookletHeld}
        </p>
      )}
      {refunded > 0 && <p className="small">{paymentReceipt.refunded({ amount: dollars(refunded) })}</p>}
      <p className="small soft">
        {paymentReceipt.neverExpire}{' '}
        {giftFor === null
          ? paymentReceipt.refundable({ days: refundDays })
          : refunded < amount && paymentReceipt.bookletRefundable}
      </p>
    </article>
  )
}
