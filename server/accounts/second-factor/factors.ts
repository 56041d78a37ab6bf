import { createHash } from 'node:crypto'
import type { Security } from '#lib/api/second-factor.ts'
import { latinDigits } from '#lib/numbers/dialable.ts'
import { secondFactorPolicy } from '../../config/policy.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { unseal } from '../../identity/seal.ts'
import { base32, stepOf } from '../../identity/totp.ts'

/** 80 bits, 16 letters and digits. */
const codeBytes = 10

/** True with a passkey, or with an authenticator app whose setup was finished. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const [found] = await db.query<{ has: boolean }>(
    `select exists (select from passkey where user_id = $1)
       or exists (select from authenticator_app where user_id = $1 and confirmed_at is not null) as has`,
    [userId],
  )
  return found?.has === true
}

export async function readSecurity(db: Db, userId: string, sessionId: string | undefined): Promise<Security> {
  const passkeys = await db.query<{
    id: string
    credential_id: string
    name: string
    created_at: Date
    last_used_at: Date | null
  }>(
    'select id, credential_id, name, created_at, last_used_at from passkey where user_id = $1 order by created_at, id',
    [userId],
  )
  const [app] = await db.query<{ confirmed_at: Date; last_used_at: Date | null }>(
    'select confirmed_at, last_used_at from authenticator_app where user_id = $1 and confirmed_at is not null',
    [userId],
  )
  const [codes] = await db.query<{ unused: number }>(
    'select count(*)::int as unused from recovery_code where user_id = $1 and used_at is null',
    [userId],
  )
  const signedIn = await db.query('select 1 from session where id = $1 and second_factor_at is not null', [
    sessionId ?? null,
  ])
  const secured = passkeys.length > 0 || app !== undefined
  return {
    passkeys: passkeys.map(({ id, credential_id, name, created_at, last_used_at }) => ({
      id,
      credentialId: credential_id,
      name,
      addedAt: created_at.toISOString(),
      lastUsedAt: last_used_at?.toISOString() ?? null,
    })),
    authenticator: app
      ? { addedAt: app.confirmed_at.toISOString(), lastUsedAt: app.last_used_at?.toISOString() ?? null }
      : null,
    recoveryCodesLeft: secured ? (codes?.unused ?? 0) : null,
    signedInWithSecondFactor: signedIn.length > 0,
  }
}

/** Replaces all recovery codes. The user must be locked. @returns ten codes, to be shown once */
export async function replaceRecoveryCodes(
  tx: Db,
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  userId: string,
): Promise<string[]> {
  await tx.query('delete from recovery_code where user_id = $1', [userId])
  const codes = Array.from({ length: secondFactorPolicy.recoveryCodes }, () => {
    const code = base32(random.bytes(codeBytes)).toLowerCase()
    return (code.match(/.{4}/g) ?? []).join('-')
  })
  await tx.query(
    `insert into recovery_code (hash, user_id, created_at) select decode(unnest($1::text[]), 'hex'), $2, $3`,
    [codes.map(code => Buffer.from(recoveryHash(code)).toString('hex')), userId, clock.now()],
  )
  return codes
}

/** Without a second factor, deletes the recovery codes and any unfinished setup. The user must be locked. */
export async function dropUselessCodes(tx: Db, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return
  await tx.query('delete from recovery_code where user_id = $1', [userId])
  await tx.query('delete from authenticator_app where user_id = $1', [userId])
}

/** Removes every second factor of a user. The user must be locked. */
export async function dropFactors(tx: Db, userId: string): Promise<void> {
  await tx.query('delete from passkey where user_id = $1', [userId])
  await tx.query('delete from authenticator_app where user_id = $1', [userId])
  await tx.query('delete from recovery_code where user_id = $1', [userId])
}

/** Redeems a code of either kind. The user must be locked. @returns which kind it was; undefined: none */
export async function consumeCode(
  tx: Db,
  services: Pick<Services, 'clock' | 'keys'>,
  userId: string,
  typed: string,
): Promise<'authenticator' | 'recovery_code' | undefined> {
  const code = plain(typed)
  const at = services.clock.now()
  if (/^\d{6}$/.test(code)) {
    const [app] = await tx.query<{ secret: Uint8Array; last_step: number }>(
      'select secret, last_step from authenticator_app where user_id = $1 and confirmed_at is not null',
      [userId],
    )
    const secret = app && unseal(services.keys.authenticator, app.secret)
    const step = app && secret && stepOf(secret, code, at, app.last_step)
    if (step === undefined) return undefined
    await tx.query('update authenticator_app set last_step = $2, last_used_at = $3 where user_id = $1', [
      userId,
      step,
      at,
    ])
    return 'authenticator'
  }
  const used = await tx.query(
    'update recovery_code set used_at = $3 where hash = $1 and user_id = $2 and used_at is null returning hash',
    [recoveryHash(code), userId, at],
  )
  return used.length === 1 ? 'recovery_code' : undefined
}

/** Digits of any script as ASCII, without the separators that people type. */
export function plain(typed: string): string {
  return latinDigits(typed).replace(/[\s-]/g, '').toLowerCase()
}

function recoveryHash(code: string): Uint8Array {
  return createHash('sha256')
    .update(`recovery code ${plain(code)}`)
    .digest()
}
