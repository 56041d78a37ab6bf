import { atom, type ReadableAtom } from 'nanostores'
import { checkResetLink, forgotPassword, resetPassword as resetEndpoint } from '#lib/api/auth.ts'
import { resetLinkMinutes } from '#lib/rules/account.ts'
import { pathAfterSignIn } from './heard-about.ts'
import { mailMemory } from './sent-mail.ts'
import { signIn } from './session.ts'
import { redirectWithToast } from './toasts.ts'
import { type ApiResult, request } from './transport.ts'

const memory = mailMemory('resetMail', resetLinkMinutes * 60_000)

/** The last link for a new password that this tab asked for, while it works; null when there is none. Written here alone. */
export const $resetMail = memory.$mail
export const recallResetMail = memory.recall
/** Back to the question for the address. */
export const forgetResetMail = memory.forget

/** Asks for a link with which the password can be chosen anew. The answer never tells whether there is an account. */
export async function requestReset(email: string): Promise<ApiResult<typeof forgotPassword>> {
  const result = await request(forgotPassword, { body: { email } })
  if (result.ok) memory.remember(email)
  return result
}

export type ResetLink =
  | { readonly state: 'checking' }
  /** The page was opened without a link's token, or reloaded: the token is kept nowhere. */
  | { readonly state: 'no_token' }
  | { readonly state: 'expired' }
  /** No verdict: it can be tried again. */
  | { readonly state: 'failed'; readonly message: string }
  /** `email`: whose password it is; null when the server did not say. */
  | { readonly state: 'open'; readonly email: string | null }

const $link = atom<ResetLink>({ state: 'checking' })
/** What the mailed link in the address bar is worth. Written here alone. */
export const $resetLink: ReadableAtom<ResetLink> = $link

let token: string | null = null
let checking = false

/** The token at the end of `/reset-password/{token}`, taken out of the address bar and the history. */
function takeToken(): string | null {
  const [, page, found] = new URL(window.location.href).pathname.split('/')
  if (found === undefined || found === '') return null
  window.history.replaceState(window.history.state, '', `/${page}`)
  return found
}

/** A token that the contract refuses was damaged on its way: to the visitor, a link that does not work. */
function isDead(code: string): boolean {
  return code === 'link_expired' || code === 'invalid_request'
}

/** Looks at once whether the link would still work, also again after a failure. Uses nothing up. */
export async function openResetLink(): Promise<void> {
  if (checking) return
  token ??= takeToken()
  if (token === null) return $link.set({ state: 'no_token' })
  checking = true
  $link.set({ state: 'checking' })
  const result = await request(checkResetLink, { body: { token } })
  checking = false
  if (result.ok) $link.set({ state: 'open', email: result.value.email ?? null })
  else $link.set(isDead(result.code) ? { state: 'expired' } : { state: 'failed', message: result.message })
}

/**
 * Sets the password; this browser is then signed in and goes on. A link that has stopped working meanwhile says so on
 * `$resetLink`; other failures leave the form as it is.
 */
export async function resetPassword(password: string): Promise<ApiResult<typeof resetEndpoint>> {
  const result = await signIn(() => request(resetEndpoint, { body: { token: token ?? '', password } }))
  if (result.ok) {
    memory.forget()
    redirectWithToast(pathAfterSignIn(window.location.href), {
      type: 'success',
      message: 'Your password is changed, and you are logged in.',
    })
  } else if (result.code === 'link_expired') $link.set({ state: 'expired' })
  return result
}
