import { deleteAccount as endpoint } from '#lib/api/profile.ts'
import { authorised } from './api.ts'
import { chooseCallFrom } from './caller-ids.ts'
import { endSession } from './session.ts'
import { redirectWithToast } from './toasts.ts'
import type { ApiResult } from './transport.ts'

/** The server asks the payment provider to forget the card on the way. */
const timeoutMs = 30_000

/**
 * Deletes the account for good, then leaves for the landing page, signed out.
 * @param confirm the account's e-mail address, as it was typed
 * @param password empty where the account has none
 */
export async function deleteAccount(confirm: string, password: string): Promise<ApiResult<typeof endpoint>> {
  const result = await authorised(endpoint, { body: { confirm, password } }, { timeoutMs })
  if (!result.ok) return result
  // The number that was chosen here is forgotten with the rest.
  chooseCallFrom(null)
  endSession()
  redirectWithToast('/', { type: 'success', message: 'Your account is deleted.', sticky: true })
  return result
}
