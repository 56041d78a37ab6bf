export type Subject = 'account' | 'transfer' | 'call' | 'payment' | 'referral'

/** SQL type of a subject's id. The id of a referral is its referee's. */
export const subjectType: Readonly<Record<Subject, 'bigint' | 'uuid'>> = {
  account: 'bigint',
  transfer: 'bigint',
  call: 'uuid',
  payment: 'uuid',
  referral: 'uuid',
}

/** Restricts a check to some subjects: a condition on the column with their ids. */
export type Among = (column: string) => string

/** An invariant; I1 to I5 are in docs/architecture.md, 'Money'. The SQL returns the subjects that break it, id first. */
export interface Check {
  readonly invariant: string
  readonly about: Subject
  readonly sql: (among: Among) => string
}

export interface Breach {
  readonly invariant: string
  readonly about: Subject
  readonly rows: readonly BrokenRow[]
}

export interface BrokenRow {
  readonly subject: string
}
