import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import type { Reply } from '#lib/api/endpoint.ts'
import { lookUpGift, redeemGift } from '#lib/api/gifts.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatGiftCode, readGiftCode } from '#lib/money/gift-code.ts'
import { authorised } from '#session/api.ts'
import { consumeSecret } from '#session/consumed-secret.ts'
import { followSession } from '#session/follow-session.ts'
import { go } from '#session/navigation.ts'
import { rememberReturnPathFor } from '#session/return-path.ts'
import { $session, start } from '#session/session.ts'
import { localStore, tabStore } from '#session/storage.ts'
import { loadUser } from '#session/user.ts'
import { redeemTexts } from './redeem-texts.ts'

export type Redemption =
  | { readonly state: 'loading' }
  /** A code is asked for. */
  | { readonly state: 'asking'; readonly fault: string | null }
  /** There is a code, and nobody is signed in. */
  | { readonly state: 'visitor' }
  | { readonly state: 'found'; readonly gift: Reply<typeof lookUpGift>; readonly failure: Failure | null }
  | { readonly state: 'redeemed'; readonly gift: Reply<typeof redeemGift> }

export interface Failure {
  readonly message: string
  /** The account's address has to be confirmed first. */
  readonly unconfirmed: boolean
}

const key = 'giftCode'

const $shown = atom<Redemption>({ state: 'loading' })
export const $redemption: ReadableAtom<Redemption> = $shown

/** The code as typed, or in groups if it came with the link. */
const $typed = atom('')
export const $code: ReadableAtom<string> = $typed

/** Counts steps, to ignore outdated answers. */
let turn = 0

export function typeCode(text: string): void {
  $typed.set(text)
  const shown = $shown.get()
  if (shown.state === 'asking' && shown.fault !== null) $shown.set({ state: 'asking', fault: null })
}

/** Takes the code out of the address, or the one that this tab keeps, and looks at it. */
export async function openRedeem(): Promise<void> {
  const given = consumeSecret('code')
  if (given !== null) keep(given)
  const code = given ?? tabStore.read(key) ?? consumeCarried() ?? ''
  $typed.set(shownCode(code))
  if (code === '') {
    turn += 1
    $shown.set({ state: 'asking', fault: null })
  } else await lookUp()
}

/** Looks at the typed code. */
export async function lookUp(): Promise<void> {
  const code = readGiftCode($typed.get())
  if (code === null) {
    $shown.set({
      state: 'asking',
      fault: redeemTexts.noCode,
    })
    return
  }
  keep(code)
  turn += 1
  const mine = turn
  await start()
  if (mine !== turn) return
  if ($session.get().status !== 'signed_in') return $shown.set({ state: 'visitor' })
  const result = await authorised(lookUpGift, { body: { code } })
  if (mine !== turn) return
  if (result.ok) $shown.set({ state: 'found', gift: result.value, failure: null })
  else if (result.status === 401) $shown.set({ state: 'visitor' })
  else $shown.set({ state: 'asking', fault: result.message })
}

export async function redeem(): Promise<void> {
  const shown = $shown.get()
  const code = readGiftCode($typed.get())
  if (shown.state !== 'found' || code === null) return
  const mine = turn
  const result = await authorised(redeemGift, { body: { code } })
  if (mine !== turn) return
  if (result.ok) {
    dropCode()
    $shown.set({ state: 'redeemed', gift: result.value })
    void loadUser()
  } else if (result.status === 401) $shown.set({ state: 'visitor' })
  else if (result.code === 'unknown_code') $shown.set({ state: 'asking', fault: result.message })
  else {
    const failure = { message: result.message, unconfirmed: result.code === 'email_unverified' }
    $shown.set({ ...shown, failure })
  }
}

/** To another code. */
export function forgetCode(): void {
  turn += 1
  dropCode()
  $typed.set('')
  $shown.set({ state: 'asking', fault: null })
}

/**
 * To sign up or in, and back with the code. It is kept beside the way back, never in it: pages on the way carry that in
 * their address, which servers read. In the browser, because who signs up comes back by a mailed link, in another tab.
 */
export function signIn(path: '/register' | '/login'): void {
  localStore.write(key, JSON.stringify({ code: $typed.get(), atMs: Date.now() }))
  rememberReturnPathFor(localPath('/redeem'))
  go(localPath(path))
}

const carriedSchema = z.object({ code: z.string().check(z.maxLength(60)), atMs: z.number() })
/** As long as the link that confirms a new account's address. */
const carriedMs = 24 * 3600 * 1000

/** The code that this browser carried through a sign-in; from then on it is this tab's alone. */
function consumeCarried(): string | null {
  const text = localStore.read(key)
  localStore.remove(key)
  try {
    const { code, atMs } = z.parse(carriedSchema, JSON.parse(text ?? 'null'))
    if (Math.abs(Date.now() - atMs) >= carriedMs) return null
    keep(code)
    return code
  } catch {
    return null // Missing, or written by other code.
  }
}

function keep(code: string): void {
  tabStore.write(key, code)
}

function dropCode(): void {
  tabStore.remove(key)
  localStore.remove(key)
}

function shownCode(code: string): string {
  const read = readGiftCode(code)
  return read === null ? code : formatGiftCode(read)
}

followSession(() => {
  const { state } = $shown.get()
  if (state === 'visitor' || state === 'found') void lookUp()
})
