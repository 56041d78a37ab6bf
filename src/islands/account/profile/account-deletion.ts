import { deleteAccount as endpoint } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { authorised } from '#session/api.ts'
import { endSession, forgetUser } from '#session/session.ts'
import { redirectWithToast } from '#session/toasts.ts'
import type { ApiResult } from '#session/transport.ts'
import { chooseCallFrom } from '#shared/caller-ids/caller-ids.ts'
import { deletion } from './deletion-texts.ts'

/** Long, because the server first asks the payment provider to delete the card. */
const timeoutMs = 30_000

/** Deletes the account for good and goes to the landing page. @param password empty if there is none */
export async function deleteAccount(confirm: string, password: string): Promise<ApiResult<typeof endpoint>> {
  const result = await authorised(endpoint, { body: { confirm, password } }, { timeoutMs })
  if (!result.ok) return result
  // The chosen caller ID belongs to the deleted account.
  chooseCallFrom(null)
  forgetUser()
  endSession()
  redirectWithToast(localPath('/'), { type: 'success', message: deletion.deleted, sticky: true })
  return result
}
