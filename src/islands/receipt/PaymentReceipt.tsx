import type { ReceiptRecord } from '#lib/api/payments.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { refundDays } from '#lib/money/refunds.ts'
import { momentInUtc } from '#shared/moment.ts'
import { Head } from './Head.tsx'
import { PaidMark } from './PaidMark.tsx'
import styles from './receipt.module.css'

const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))

function Item({ automatic, giftFor }: Pick<ReceiptRecord, 'automatic' | 'giftFor'>) {
  if (giftFor === null) return automatic ? 'Calling credits, auto top-up' : 'Calling credits'
  return (
    <>
      Booklet of calling credits for <bdi>{giftFor || 'somebody'}</bdi>
    </>
  )
}

export function PaymentReceipt({ receipt }: { readonly receipt: ReceiptRecord }) {
  const { number, name, email, card, reference, automatic, giftFor, amount, bonus, held, refunded, vat } =
    receipt
  const paidAt = new Date(receipt.paidAt)
  return (
    <article className="paper1">
      <Head vatNumber={vat?.number ?? null}>
        <PaidMark paidAt={paidAt} />
      </Head>
      <h1 className={styles['title']}>Receipt</h1>
      <dl className="facts2">
        <div>
          <dt>Number</dt>
          <dd className="num">{number}</dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd className="num">{momentInUtc(paidAt)}</dd>
        </div>
        <div>
          <dt>Billed to</dt>
          <dd>
            {name !== null && (
              <>
                <bdi>{name}</bdi>
                <br />
              </>
            )}
            {email}
          </dd>
        </div>
        {card !== null && (
          <div>
            <dt>Paid with</dt>
            <dd className="num">{card}</dd>
          </div>
        )}
        <div>
          <dt>Payment reference</dt>
          <dd>{reference}</dd>
        </div>
      </dl>
      <div className="tear" />
      <table className={styles['items']}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="r">
              Credits
            </th>
            <th scope="col" className="r">
              Price
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
              <td>Bonus credits</td>
              <td className="r num">{dollars(bonus)}</td>
              <td className="r num">$0.00</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="r num">{dollars((usdToMicroUsd(amount) + usdToMicroUsd(bonus)) / 1_000_000)}</td>
            <td className="r num big">{dollars(amount)}</td>
          </tr>
        </tfoot>
      </table>
      {vat !== null && (
        <p className="small">
          The price includes {dollars(vat.amount)} of VAT at {vat.percent}%.
        </p>
      )}
      {held > 0 && (
        <p className="small">
          {giftFor === null
            ? `${dollars(held)} of these credits will arrive after a review.`
            : 'The booklet works after a review.'}
        </p>
      )}
      {refunded > 0 && <p className="small">We refunded {dollars(refunded)} of this payment.</p>}
      <p className="small soft">
        All amounts in US dollars. Credits never expire.{' '}
        {giftFor === null
          ? `You can get a refund of unused credits within ${refundDays} days of purchase.`
          : refunded < amount && 'You can get a refund until the booklet is redeemed.'}
      </p>
    </article>
  )
}
