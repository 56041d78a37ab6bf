import type { Db } from '../db/port.ts'
import { enqueue } from '../jobs/queue.ts'
import { setAsideLetter } from '../mail/google-letters.ts'
import type { Services } from './context.ts'
import { eraseBelongings } from './delete-account/erase.ts'
import { queueLetter } from './queue-letter.ts'

/**
 * Gives an account that nobody confirmed to the owner of its address. Nobody ever showed that the address was theirs, so
 * whoever began this account may be a stranger who waits for its owner: all that they chose, saved and are signed in with
 * goes, every mailed link too. The balance stays: it is the account's. With the user locked.
 * @returns whether anything was saved there beside the password
 */
export async function takeBack(tx: Db, userId: string, at: Date): Promise<boolean> {
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

/**
 * The same for an owner who opens a mailed link and has a password of their own then, and tells them where something was
 * there that is removed, or paid for.
 */
export async function takeBackByMail(
  tx: Db,
  services: Services,
  { id, email }: { readonly id: string; readonly email: string },
  at: Date,
): Promise<void> {
  if (!(await takeBack(tx, id, at))) return
  const letter = setAsideLetter(services.publicUrl, 'mail')
  await queueLetter(tx, `set-aside:${services.random.uuid()}`, email, letter, at)
}
