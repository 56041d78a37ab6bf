import { createHash } from 'node:crypto'
import { readGiftCode } from '#lib/money/gift-code.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { seal, unseal } from '../../identity/seal.ts'

export interface GiftRow {
  readonly payment_id: string
  readonly user_id: string
  readonly from_name: string | null
  readonly to_name: string | null
  readonly message: string | null
  readonly recipient_email: string | null
  readonly code_sealed: Uint8Array | null
  readonly issued_at: Date | null
  readonly mailed: boolean | null
  readonly redeemed_at: Date | null
  readonly redeemed_by: string | null
}

export const giftColumns = `gift.payment_id, gift.user_id, gift.from_name, gift.to_name, gift.message,
  gift.recipient_email, gift.code_sealed, gift.issued_at, gift.mailed, gift.redeemed_at, gift.redeemed_by`

/** The payment must be locked: its lock is the gift's. */
export async function readGift(tx: Db, paymentId: string): Promise<GiftRow> {
  const [gift] = await tx.query<GiftRow>(`select ${giftColumns} from gift where payment_id = $1`, [paymentId])
  if (gift === undefined) throw new Error('a gift payment has no gift')
  return gift
}

/** What of a booklet's payment waits in the account `gifts`. Micro-dollars. */
export async function unredeemedPart(tx: Db, paymentId: string): Promise<number> {
  const [row] = await tx.query<{ left: number }>(
    `select coalesce(sum(case when account.id = credit_account then amount else -amount end), 0)::bigint as left
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and account.kind = 'gifts'`,
    [paymentId],
  )
  return row?.left ?? 0
}

export function namesOf(gift: Pick<GiftRow, 'from_name' | 'to_name' | 'message'>) {
  return { fromName: gift.from_name ?? '', toName: gift.to_name ?? '', message: gift.message ?? '' }
}

/** Not keyed: 100 random bits cannot be guessed, and a printed code must outlive a change of our secret (ADR-65). */
export function hashGiftCode(code: string): Uint8Array {
  return createHash('sha256').update(`farline gift ${code}`).digest()
}

export function sealGiftCode({ keys, random }: Pick<Services, 'keys' | 'random'>, code: string): Uint8Array {
  return seal(keys.gifts, Buffer.from(code), random)
}

/** @returns null if the code is gone, or was encrypted under another secret */
export function openGiftCode({ keys }: Pick<Services, 'keys'>, sealed: Uint8Array | null): string | null {
  const opened = sealed === null ? undefined : unseal(keys.gifts, sealed)
  return opened === undefined ? null : readGiftCode(Buffer.from(opened).toString())
}
