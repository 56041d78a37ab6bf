import type { Db } from '../../db/port.ts'

export interface AuditEntry {
  readonly at: Date
  /** The operating system's user who does it. */
  readonly actor: string
  readonly action:
    | 'credit'
    | 'look_up'
    | 'block'
    | 'unblock'
    | 'release'
    | 'refund'
    | 'reconcile'
    | 'prices'
    | 'ops_link'
    | 'ops_end'
  /** Whose account it is about: the user's id. Or `books`, `tariff` or `ops`, about nobody's. */
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Writes down what an operator does, in the transaction that does it. */
export async function audit(tx: Db, { at, actor, action, subject, detail }: AuditEntry): Promise<void> {
  await tx.query('insert into audit_entry (at, actor, action, subject, detail) values ($1, $2, $3, $4, $5)', [
    at,
    actor,
    action,
    subject,
    JSON.stringify(detail),
  ])
}
