import { expect, inject, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'

/**
 * Neither an answer nor the time it takes says whether an address has an account (REL-43). What is measured is
 * work, the processor's time of this process, which the embedded database shares: nothing else that this machine does counts.
 * Known and unknown addresses are asked for in turn.
 */

const pairs = 24
const attempts = 15
const maxDifference = 0.05

let asked = 0
const web = keepForFile(await createWeb())

type Ask = (email: string) => { readonly url: string; readonly payload: object }

const requests: readonly (readonly [string, 'confirmed' | 'waiting', Ask])[] = [
  ['login', 'confirmed', email => ({ url: 'login', payload: { email, password: 'not the right one' } })],
  ['register', 'confirmed', email => ({ url: 'register', payload: { email, password } })],
  ['register', 'waiting', email => ({ url: 'register', payload: { email, password } })],
  ['resend-verification', 'waiting', email => ({ url: 'resend-verification', payload: { email } })],
  ['resend-verification', 'confirmed', email => ({ url: 'resend-verification', payload: { email } })],
  ['forgot-password', 'confirmed', email => ({ url: 'forgot-password', payload: { email } })],
]

/** From a network of its own each time: limits are another test's. */
async function work(ask: Ask, email: string): Promise<{ ms: number; answer: string }> {
  asked += 1
  const { url, payload } = ask(email)
  const remoteAddress = `198.18.${Math.floor(asked / 250)}.${(asked % 250) + 1}`
  const start = process.cpuUsage()
  const reply = await web.app.inject({ method: 'POST', url: `/api/auth/${url}`, payload, remoteAddress })
  const { user, system } = process.cpuUsage(start)
  return { ms: (user + system) / 1000, answer: `${reply.statusCode} ${reply.body}` }
}

async function addAccounts(prefix: string, state: 'confirmed' | 'waiting'): Promise<void> {
  const [owner] = await web.db.query<{ password_hash: string }>('select password_hash from app_user limit 1')
  const { clock, random } = web.services
  for (let n = 0; n < pairs; n += 1) {
    await web.db.query(
      `insert into app_user (id, email, password_hash, email_verified_at, created_at) values ($1, $2, $3, $4, $5)`,
      [
        random.uuid(),
        `${prefix}-known-${n}@example.com`,
        owner?.password_hash ?? '',
        state === 'confirmed' ? clock.now() : null,
        clock.now(),
      ],
    )
  }
}

/** What the middle half of them comes to on average: neither a pause of the machine nor one lucky request counts. */
function middle(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  const half = sorted.slice(Math.floor(sorted.length / 4), Math.ceil((sorted.length * 3) / 4))
  return half.reduce((sum, ms) => sum + ms, 0) / half.length
}

const elsewhere = inject('engine')?.kind === 'postgres'

test.skipIf(elsewhere).each(requests)(
  '%s reveals to nobody whether an address has an account (%s)',
  { timeout: 120_000 },
  async (name, state, ask) => {
    await web.signUp(`owner-${name}-${state}@example.com`)
    const differences: number[] = []
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const prefix = `${name}-${state}-${attempt}`
      await addAccounts(prefix, state)
      const worked: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
      for (let n = 0; n < pairs; n += 1) {
        const answers: string[] = []
        for (const kind of n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
          const { ms, answer } = await work(ask, `${prefix}-${kind}-${n}@example.com`)
          worked[kind].push(ms)
          answers.push(answer)
        }
        expect(answers[0]).toBe(answers[1])
      }
      const [known, unknown] = [middle(worked.known), middle(worked.unknown)]
      differences.push(Math.abs(known - unknown) / Math.max(known, unknown))
      if (Math.min(...differences) < maxDifference) break
    }
    expect(Math.min(...differences)).toBeLessThan(maxDifference)
  },
)
