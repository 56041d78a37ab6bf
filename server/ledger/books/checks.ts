import { callCharges, callPostings } from './call-checks.ts'
import type { Check } from './check.ts'
import { giftChecks, paymentChecks, referralChecks } from './payment-checks.ts'

/** SQL for the net sum of an account's transfers with ids above this one. */
const postedSince = (id: string) => `lateral (
    select coalesce(sum(amount), 0)::bigint as amount from (
      select amount from transfer where credit_account = account.id and transfer.id > ${id}
      union all select -amount from transfer where debit_account = account.id and transfer.id > ${id}) entry) posted`

const balances = 'I1 every transfer has a debit and a credit, and the balances are their sums'

/** The check of balances, starting from the sums of the last checkpoint. */
export const balancesSince: Check = {
  invariant: balances,
  about: 'account',
  sql: among => `
    select account.id::text as subject, account.balance, coalesce(known.balance, 0) + posted.amount as posted
    from account left join account_checkpoint known on known.account_id = account.id
    cross join ${postedSince('coalesce(known.transfer_id, 0)')}
    where account.kind = 'customer' and ${among('account.id')}
      and account.balance <> coalesce(known.balance, 0) + posted.amount`,
}

export const checks: readonly Check[] = [
  {
    invariant: balances,
    about: 'account',
    sql: among => `
      select account.id::text as subject, balance, posted.amount as posted from account cross join ${postedSince('0')}
      where kind = 'customer' and ${among('account.id')} and balance <> posted.amount`,
  },
  {
    invariant: 'I1 a transfer moves an amount above zero between two accounts',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject from transfer
      left join account debit on debit.id = debit_account left join account credit on credit.id = credit_account
      where ${among('transfer.id')} and (amount <= 0 or debit_account = credit_account or debit.id is null or credit.id is null)`,
  },
  {
    invariant: 'I2 no customer balance is below zero',
    about: 'account',
    sql: among => `
      select id::text as subject, balance from account where kind = 'customer' and ${among('account.id')} and balance < 0`,
  },
  {
    invariant: 'I3 a key was posted once',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer where ${among('transfer.id')}
        and exists (select 1 from transfer other where other.key = transfer.key and other.id <> transfer.id)`,
  },
  ...callPostings,
  ...paymentChecks,
  ...giftChecks,
  ...referralChecks,
  {
    invariant: 'I3 what was given up was on the balance of an account that its owner deleted',
    about: 'transfer',
    sql: among => `
      select transfer.id::text as subject, key from transfer join account debit on debit.id = debit_account join account credit on credit.id = credit_account
      left join app_user on app_user.id = debit.user_id
      where ${among('transfer.id')} and (key like 'given_up:%' or 'given_up' in (debit.kind, credit.kind))
        and not (credit.kind = 'given_up' and deleted_at is not null
          and key ~ ('^given_up:' || debit.user_id || '(:[1-9][0-9]*)?$'))`,
  },
  ...callCharges,
]

export const invariants: readonly string[] = checks.map(({ invariant }) => invariant)
