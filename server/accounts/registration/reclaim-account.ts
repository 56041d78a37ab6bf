import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { enqueue } from '../../jobs/queue.ts'
import { queueEmail } from '../../mail/queue-email.ts'
import { eraseBelongings } from '../deletion/erase.ts'
import { setAsideEmail } from '../google/google-emails.ts'

/**
 * Removes what was chosen or saved before the address was confirmed: a stranger may have registered it. The balance
 * stays. The user must be locked.
 * @returns whether anything besides the password was saved
 */
export async function reclaimAccount(tx: Db, userId: string, at: Date): Promise<boolean> {
  const [had] = await tx.query<{ saved: boolean }>(
    `select name is not null or balance <> 0
       or exists (select from contact where user_id = $1) or exists (select from caller_id where user_id = $1)
       or exists (select from saved_card where user_id = $1) as saved
     from app_user join account on user_id = app_user.id where app_user.id = $1`,
    [userId],
  )
  const card = await eraseBelongings(tx, userId, at)
  await tx.query(
    `update app_user set password_hash = null, name = null, auto_topup_enabled = false, auto_topup_failures = 0,
       auto_topup_trouble = null, has_saved_payment_method = false, heard_about = null, heard_about_detail = null,
       heard_about_at = null
     where id = $1`,
    [userId],
  )
  if (card !== undefined) await enqueue(tx, { kind: 'forget_card', card }, at)
  return had?.saved ?? false
}

/** As `reclaimAccount`, by a mailed link that sets a password. Notifies the owner of removed data. */
export async function reclaimAccountByMail(
  tx: Db,
  services: Services,
  { id, email }: { readonly id: string; readonly email: string },
  at: Date,
): Promise<void> {
  if (!(await reclaimAccount(tx, id, at))) return
  const template = setAsideEmail(services.publicUrl, 'mail')
  await queueEmail(tx, `set-aside:${services.random.uuid()}`, email, template, at)
}
