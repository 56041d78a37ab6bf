import type { Db } from '../db/port.ts'

export interface AuditEntry {
  readonly at: Date
  /** The operating system's user. */
  readonly actor: string
  readonly action:
    | 'credit'
    | 'look_up'
    | 'block'
    | 'unblock'
    | 'sign_out'
    | 'reset_second_factor'
    | 'release'
    | 'refund'
    | 'reconcile'
    | 'prices'
    | 'carrier_cdrs'
    | 'ops_link'
    | 'ops_end'
  /** A user's id, or `books`, `tariff` or `ops`. */
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Records an operator's action, in the transaction that performs it. */
export async function audit(tx: Db, { at, actor, action, subject, detail }: AuditEntry): Promise<void> {
  await tx.query('insert into audit_entry (at, actor, action, subject, detail) values ($1, $2, $3, $4, $5)', [
    at,
    actor,
    action,
    subject,
    JSON.stringify(detail),
  ])
}
