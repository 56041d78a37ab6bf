import { atom, type ReadableAtom } from 'nanostores'
import { resetLinkMinutes } from '#lib/account/account.ts'
import { checkResetLink, forgotPassword, resetPassword as resetEndpoint } from '#lib/api/auth.ts'
import { localPath } from '#lib/i18n/path.ts'
import { consumeSecret } from '#session/consumed-secret.ts'
import { goInstead } from '#session/navigation.ts'
import { consumeReturnPath } from '#session/return-path.ts'
import { signIn } from '#session/session.ts'
import { redirectWithToast } from '#session/toasts.ts'
import { type ApiResult, request } from '#session/transport.ts'
import { mailMemory } from '#shared/sign-up/sent-mail.ts'
import { texts } from './texts.ts'

const memory = mailMemory('resetMail', resetLinkMinutes * 60_000)

/** The last reset link that this tab requested, while it is valid; null if none. */
export const $resetMail = memory.$mail
export const recallResetMail = memory.recall
export const forgetResetMail = memory.forget

/** Requests a reset link. The answer never reveals whether there is an account. */
export async function requestReset(email: string): Promise<ApiResult<typeof forgotPassword>> {
  const result = await request(forgotPassword, { body: { email } })
  if (result.ok) memory.remember(email)
  return result
}

export type ResetLink =
  | { readonly state: 'checking' }
  /** Opened without a token, or reloaded: the token is not stored. */
  | { readonly state: 'no_token' }
  | { readonly state: 'expired' }
  /** No clear result; a retry is possible. */
  | { readonly state: 'failed'; readonly message: string }
  /** `email`: of the account; null if the server did not send it. */
  | { readonly state: 'open'; readonly email: string | null }

const $link = atom<ResetLink>({ state: 'checking' })
export const $resetLink: ReadableAtom<ResetLink> = $link

let token: string | null = null
let checking = false

/** E-mails of an earlier version have the token at the end of the path. */
function consumeToken(): string | null {
  const token = consumeSecret('token')
  if (token !== null && token !== '') return token
  const page = localPath('/reset-password')
  const [, found = ''] = new URL(window.location.href).pathname.split(`${page}/`)
  if (found === '') return null
  window.history.replaceState(window.history.state, '', page)
  return found
}

/** A token outside the contract was damaged in transit; the visitor sees a dead link. */
function isDead(code: string): boolean {
  return code === 'link_expired' || code === 'invalid_request'
}

/** Checks at once whether the link is valid, also to retry. Does not use it up. */
export async function openResetLink(): Promise<void> {
  if (checking) return
  token ??= consumeToken()
  if (token === null) return $link.set({ state: 'no_token' })
  checking = true
  $link.set({ state: 'checking' })
  const result = await request(checkResetLink, { body: { token } })
  checking = false
  if (result.ok) $link.set({ state: 'open', email: result.value.email ?? null })
  else $link.set(isDead(result.code) ? { state: 'expired' } : { state: 'failed', message: result.message })
}

/** Signs this browser in. An expired link shows in `$resetLink`; other failures leave the form unchanged. */
export async function resetPassword(password: string): Promise<ApiResult<typeof resetEndpoint>> {
  const result = await signIn(() => request(resetEndpoint, { body: { token: token ?? '', password } }))
  if (result.ok) {
    memory.forget()
    redirectWithToast(consumeReturnPath(window.location.href, localPath('/call')), {
      type: 'success',
      message: texts.changed,
    })
  } else if (result.code === 'link_expired') $link.set({ state: 'expired' })
  else if (result.code === 'second_factor_required') {
    memory.forget()
    // The password is changed, but access to a mailbox alone does not replace the second factor.
    goInstead(localPath('/login?second_factor=reset'))
  }
  return result
}
