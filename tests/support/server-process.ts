/**
 * The real server in its own process, with a movable clock and access to the exchange. Run by `test-server.ts`;
 * communicates over Node's IPC channel.
 */
import { usdToMicroUsd } from '#lib/money/money.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { readConfig } from '#server/config.ts'
import { systemRandom } from '#server/process/random.ts'
import { startServer } from '#server/start.ts'
import { closeUdp, damageSound, loseSound } from './bad-network-sound.ts'
import { findBreaches } from './books.ts'
import { createRunningClock } from './movable-clock.ts'
import { addCaller } from './storm-callers.ts'
import type { Question } from './test-server.ts'

// Before any connection is made: only connections made later can be cut.
loseSound(false)
loseSound(false)
const clock = createRunningClock()
const server = await startServer(readConfig(process.env), clock, systemRandom)

process.on('message', (question: Question & { id: number }) => {
  void answer(question).then(
    value => process.send?.({ id: question.id, value }),
    (error: unknown) => process.send?.({ id: question.id, error: String(error) }),
  )
})
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function answer(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'now':
      return clock.now().getTime()
    case 'advance':
      return advance(question.ms)
    case 'leap':
      return clock.advance(question.ms)
    case 'live calls':
      return server.exchange?.live() ?? []
    case 'observe':
      return server.exchange?.observe(question.callId)
    case 'breaches':
      return findBreaches(server.services.db)
    case 'lose sound':
      return loseSound(question.lost)
    case 'damage sound':
      return damageSound(question.damage)
    case 'close udp':
      return closeUdp(question.closed)
    case 'restrict':
      return server.services.db.query('update app_user set can_call = false where email = $1', [
        question.email,
      ])
    case 'credit':
      return credit(question.email, usdToMicroUsd(question.usd))
    case 'add callers':
      return addCallers(question)
    case 'calls':
      return server.services.db.query(
        `select id, state, limit_ms as "limitMs", minutes_charged as "minutesCharged",
           (select (extract(epoch from began_at) * 1000)::float8 from carrier_attempt
            where call_id = call.id and attempt = 0) as "triedAtMs"
         from call order by id`,
      )
    case 'tables with':
      return tablesWith(question.text)
    case 'resident bytes':
      return process.memoryUsage().rss
    case 'cpu seconds':
      return cpuSeconds()
    case 'charges':
      return server.services.db.query(
        `select key, amount from transfer where call_id = $1 and key not like '%:free' order by id`,
        [question.callId],
      )
  }
}

/**
 * Advances in steps of one second with pauses, so that audio arrives in between: after a jump the line would look
 * dead.
 */
async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    clock.advance(Math.min(1000, ms - passed))
    await new Promise(resolve => setTimeout(resolve, 40))
  }
}

async function credit(email: string, amountMicroUsd: number): Promise<void> {
  const { services } = server
  const requestId = services.random.uuid()
  const credited = await creditAccount(services, {
    requestId,
    email,
    amountMicroUsd,
    reason: 'a test',
    actor: 'test',
  })
  if (!credited.ok) throw new Error(`${email} was not credited: ${credited.code}`)
}

async function addCallers({ count, cents }: { count: number; cents: number }): Promise<string[]> {
  const { services } = server
  const tokens: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const name = `caller-${services.random.uuid()}`
    const { id } = await addCaller(services, name, { cents: 0, free: false })
    await credit(`${name}@example.com`, cents * 10_000)
    tokens.push((await services.telephony.issueVoiceToken(id)).token)
  }
  return tokens
}

async function tablesWith(text: string): Promise<string[]> {
  const { db } = server.services
  const tables = await db.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const holding: string[] = []
  for (const { name } of tables) {
    const found = await db.query(
      `select 1 from ${name} as line where position($1 in line::text) > 0 limit 1`,
      [text],
    )
    if (found.length > 0) holding.push(name)
  }
  return holding
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
