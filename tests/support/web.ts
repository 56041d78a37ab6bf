import type { FastifyInstance } from 'fastify'
import { forgetNumber } from '#server/calls/caller-ids/caller-ids.ts'
import type { TwilioSettings } from '#server/config.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { createLocalInbox, type InboxMail, listInbox } from '#server/mail/local-inbox.ts'
import { mailEnvelope } from '#server/payments/gifts/mail-envelope.ts'
import { rewardReferral } from '#server/referrals/reward.ts'
import { openApp } from './app.ts'
import type { Engine } from './engine.ts'
import { createWorld, type World } from './world.ts'

/** The web application over a real database, called without a port. */
export interface Web extends World {
  readonly app: FastifyInstance
  /** Sends queued mails. @returns the inbox, newest first */
  readMails(): Promise<InboxMail[]>
  /** Registers, confirms by the mailed link and signs in. @returns what a browser would then hold */
  signUp(email: string): Promise<{ token: string; cookie: string; userId: string }>
}

export const password = 'correct horse battery'

export async function createWeb({
  engine,
  publicUrl,
  siteDirectory,
  ...config
}: {
  production?: boolean
  siteDirectory?: string
  trustedProxies?: number
  reviewUrl?: string
  publicUrl?: string
  publicUrlFromPort?: boolean
  twilio?: TwilioSettings | undefined
  engine?: Engine
} = {}): Promise<Web> {
  const world = await createWorld({ engine, publicUrl })
  const app = await openApp({
    config,
    services: world.services,
    ...(siteDirectory === undefined ? {} : { siteDirectory }),
  })
  const readMails = async () => {
    const tools = {
      db: world.db,
      clock: world.clock,
      mailer: createLocalInbox(world.db, world.clock),
      payments: world.provider,
      forgetNumber: (number: string) => forgetNumber(world.services, number),
      rewardReferral: (paymentId: string) => rewardReferral(world.services, paymentId),
      mailEnvelope: (paymentId: string) => mailEnvelope(world.services, paymentId),
      onFailure: (_job: unknown, error: unknown) => {
        throw error
      },
    }
    // One by one, so that the inbox keeps their order.
    while ((await runDueJobs(tools, 1)) > 0);
    return listInbox(world.db)
  }
  return {
    ...world,
    app,
    readMails,
    signUp: async email => {
      await app.inject({ method: 'POST', url: '/api/auth/register', payload: { email, password } })
      const mail = (await readMails()).find(({ to, text }) => to === email && text.includes('/verify-email#'))
      await app.inject({
        method: 'POST',
        url: '/api/auth/verify-email',
        payload: { token: linkToken(mail) },
      })
      const login = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
      const token: string = login.json().token
      const me = await app.inject({ url: '/api/protected/me', headers: { authorization: `Bearer ${token}` } })
      return { token, cookie: readRefreshCookie(login.headers['set-cookie']), userId: me.json().id }
    },
    close: async () => {
      await app.close()
      await world.close()
    },
  }
}

export function linkToken(mail: InboxMail | undefined): string {
  const [, token] = /verify-email#token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error('the mail has no confirmation link')
  return token
}

/** `name=value` of the refresh cookie in a `set-cookie` header. */
export function readRefreshCookie(header: string | string[] | number | undefined): string {
  const cookies = Array.isArray(header) ? header : [String(header)]
  const [cookie] = cookies.filter(value => value.startsWith('refresh=')).map(value => value.split(';')[0])
  if (cookie === undefined) throw new Error('no refresh cookie was set')
  return cookie
}
