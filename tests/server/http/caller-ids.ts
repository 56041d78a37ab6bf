import { expect } from 'vitest'
import type { VerificationOutcome } from '#lib/api/verification.ts'
import type { VerificationProgress } from '#server/telephony/port.ts'
import { password, type Web } from '#support/web.ts'

let people = 0
export async function newUser(web: Web) {
  people += 1
  const email = `caller-id-${people}@example.com`
  return { ...(await web.signUp(email)), email }
}

let numbers = 0
/** A mobile number of Ofcom's drama range that nobody has asked for yet. */
export function newNumber(): string {
  numbers += 1
  return `+447700900${String(100 + numbers)}`
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` })

export const ask = (web: Web, token: string, phoneNumber: unknown, remoteAddress = '127.0.0.1') =>
  web.app.inject({
    method: 'POST',
    url: '/api/caller-id/request-verification',
    headers: authorized(token),
    payload: { phoneNumber },
    remoteAddress,
  })
export const list = async (web: Web, token: string) =>
  (await web.app.inject({ url: '/api/caller-id/verified', headers: authorized(token) })).json()
export const remove = (web: Web, token: string, number: string) =>
  web.app.inject({
    method: 'DELETE',
    url: '/api/caller-id/verified',
    headers: authorized(token),
    payload: { phoneNumber: number },
  })

export const status = async (web: Web, token: string) =>
  (await web.app.inject({ url: '/api/caller-id/verification', headers: authorized(token) })).json()

/** A fresh token, where time has passed. */
export async function logIn(web: Web, email: string): Promise<string> {
  const payload = { email, password }
  return (await web.app.inject({ method: 'POST', url: '/api/auth/login', payload })).json().token
}

/** The network reports how the newest verification call goes. */
export async function progress(web: Web, state: VerificationProgress['state']): Promise<void> {
  const { verificationId } = web.network.verifications.at(-1) ?? { verificationId: '' }
  await web.control.verificationProgressed({ verificationId, state })
}

/** Ends the newest verification call like this. */
export async function end(web: Web, outcome: VerificationOutcome): Promise<void> {
  const { verificationId } = web.network.verifications.at(-1) ?? { verificationId: '' }
  await web.control.verificationEnded({ verificationId, outcome })
}

export async function verify(web: Web, token: string, number: string): Promise<void> {
  expect((await ask(web, token, number)).statusCode).toBe(200)
  await end(web, 'verified')
}
