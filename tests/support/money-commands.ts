import fc from 'fast-check'
import {
  type Act,
  answer,
  type Callee,
  claimLastCall,
  credit,
  end,
  numbers,
  pass,
  place,
  restart,
  restrict,
  switchTopUp,
} from './money-acts.ts'
import { leaveFarline, orderGift, redeem, redeemWrongCode } from './money-gift-acts.ts'
import type { MoneyModel } from './money-model.ts'
import {
  askRefund,
  checkout,
  claim,
  decline,
  expire,
  goOn,
  pay,
  redeliver,
  release,
  work,
} from './money-payment-acts.ts'
import { type Break, compare, type MoneyWorld } from './money-world.ts'

type MoneyCommand = fc.AsyncCommand<MoneyModel, MoneyWorld>

/** Commands start one second apart, and the meter keeps up with them. */
function command(
  text: string,
  act: Act,
  needs: (model: MoneyModel) => boolean,
  breaks?: Break,
): MoneyCommand {
  return {
    check: needs,
    run: async (model, real) => {
      await pass(1)(model, real, undefined)
      await act(model, real, breaks)
      await compare(model, real)
    },
    toString: () =>
      breaks === undefined ? text : `${text} [the database fails ${breaks.where} statement ${breaks.at}]`,
  }
}

const always = () => true
const withPayment = ({ payments }: MoneyModel) => payments.length > 0
const withGift = ({ payments }: MoneyModel) => payments.some(({ gift }) => gift !== undefined)
const which = fc.nat(3)
const breaks = fc.option(
  fc.record({ at: fc.integer({ min: 1, max: 30 }), where: fc.constantFrom('before', 'after') }),
  { freq: 1, nil: undefined },
)

/** A command of one of these kinds: its description, its effect and the model it requires. */
const made = (
  arbitrary: fc.Arbitrary<readonly [text: string, act: Act]>,
  needs: (model: MoneyModel) => boolean = always,
  who: 'customer' | 'others' = 'customer',
): fc.Arbitrary<MoneyCommand> =>
  fc
    .tuple(arbitrary, breaks)
    .map(([[text, act], at]) =>
      command(text, act, model => needs(model) && (who === 'others' || !model.isDeleted), at),
    )

const checkouts = made(
  fc
    .tuple(fc.constantFrom(5, 10, 50, 100, 450, 600), fc.boolean())
    .map(([usd, saves]) => [`check out $${usd}${saves ? ', keep the card' : ''}`, checkout(usd, saves)]),
)
const paid = made(
  which.map(n => [`payment ${n} is paid`, pay(n)]),
  withPayment,
)
const placed = made(
  fc.constantFrom(...(Object.keys(numbers) as Callee[])).map(to => [`call ${to}`, place(to)]),
)
const answered = made(
  fc.constant(['the call is answered', answer]),
  ({ call }) => call !== undefined && call.answeredAt === undefined,
)
const passed = made(
  fc.constantFrom(20, 60, 400, 3 * 3600, 26 * 3600, 8 * 86_400).map(s => [`${s} s pass`, pass(s)]),
)
const worked = made(
  fc
    .constantFrom('pays', 'slow', 'declined', 'authentication_required', 'card_gone')
    .map(card => [`auto top-up works, the card: ${card}`, work(card)]),
)

const ordered = made(fc.constantFrom(5, 60, 200).map(usd => [`order a booklet of $${usd}`, orderGift(usd)]))
const redeemed = made(
  which.map(n => [`another account redeems booklet ${n}`, redeem(n)]),
  withGift,
  'others',
)

/** Repeated entries are more frequent. */
const arbitraries: fc.Arbitrary<MoneyCommand>[] = [
  ...[checkouts, paid, paid, placed, placed, answered, answered, answered, passed, passed, worked, worked],
  made(
    fc.constant(['the last call is claimed as bad', claimLastCall]),
    ({ lastCall }) => lastCall !== undefined,
  ),
  made(
    which.map(n => [`payment ${n} is declined`, decline(n)]),
    withPayment,
  ),
  made(
    which.map(n => [`payment ${n} expires`, expire(n)]),
    withPayment,
  ),
  made(
    which.map(n => [`release payment ${n}`, release(n)]),
    withPayment,
  ),
  made(
    fc
      .tuple(which, fc.constantFrom('refund', 'dispute'), fc.constantFrom(1, 33, 50, 100))
      .map(([n, kind, percent]) => [`${kind} of ${percent}% of payment ${n}`, claim(n, kind, percent)]),
    withPayment,
    'others',
  ),
  made(
    fc
      .tuple(which, fc.boolean(), fc.boolean())
      .map(([n, well, final]) => [
        `the last claim on payment ${n} ${final ? `ends ${well ? 'well' : 'badly'}` : 'is told of again'}`,
        goOn(n, well, final),
      ]),
    withPayment,
    'others',
  ),
  made(
    fc
      .tuple(which, fc.constantFrom('pending', 'succeeded', 'refused'))
      .map(([n, answered]) => [`ask for a refund of payment ${n}: ${answered}`, askRefund(n, answered)]),
    withPayment,
  ),
  made(fc.constant(['the call ends', end]), ({ call }) => call !== undefined),
  made(fc.constant(['our server restarts', restart]), ({ call }) => call !== undefined),
  made(fc.boolean().map(on => [`switch auto top-up ${on ? 'on' : 'off'}`, switchTopUp(on)])),
  made(fc.constantFrom(1, 36, 115, 300).map(cents => [`credit ${cents} cents`, credit(cents)])),
  made(fc.constantFrom('block', 'unblock').map(action => [`${action} the account`, restrict(action)])),
  made(
    fc.nat(20).map(n => [`event ${n} is delivered again`, redeliver(n)]),
    withPayment,
    'others',
  ),
  ordered,
  ordered,
  redeemed,
  redeemed,
  made(fc.constant(['another account tries a wrong code', redeemWrongCode]), always, 'others'),
  made(fc.constant(['the customer deletes the account', leaveFarline]), withGift),
]

/** Random commands about one customer's money, and the booklets that others redeem. A failure shrinks to the few commands needed to reproduce it. */
export const moneyCommands = (maxCommands: number) => fc.commands(arbitraries, { maxCommands, size: 'max' })
