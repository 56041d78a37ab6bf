import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import type { Result } from '#lib/result.ts'
import { formatBalance, usdToMicroUsd } from '#lib/rules/money.ts'
import { ConfigError, readConfig } from './config.ts'
import { doorPath, requireUsableDoor } from './operator/door.ts'
import type { CreditRefusal, ManualCredit } from './services/credit-account.ts'
import { StartError } from './start-error.ts'

const usage = `Usage: npm run admin -- credit <email> <usd> --reason "<why>"

Credits an account while the server runs. The amount is in USD, up to 4000, to the cent.
Who did it, when and why is written to the audit log.`

const refusals: Readonly<Record<CreditRefusal, string>> = {
  unknown_account: 'No account has that e-mail address.',
  invalid_amount: 'The amount must be more than 0 and at most 4000 USD.',
  missing_reason: 'Say why with --reason "...".',
  request_used: 'That --request was for another account or amount. Leave it out for a new credit.',
}

const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.number() }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['unknown_account', 'invalid_amount', 'missing_reason', 'request_used']),
  }),
])

/** The server answered that it could not, or went away before it answered: whether it credited is not known. */
class NoAnswer extends Error {}

/** With the same request id each time, so that an unheard credit is not made again. Milliseconds. */
const retryPausesMs = [500, 1000, 2000, 4000]

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  const parsed = readCommand(args)
  if (parsed === undefined) {
    console.error(usage)
    return 2
  }
  try {
    const dataDirectory = resolve(readConfig(process.env).dataDirectory)
    requireUsableDoor(dataDirectory)
    const result = await sendUntilAnswered(doorPath(dataDirectory), parsed)
    if (!result.ok) {
      console.error(refusals[result.code])
      return 1
    }
    console.log(
      `Credited ${formatBalance(parsed.amountMicroUsd)} to ${parsed.email}. The balance is ${formatBalance(result.value)}.`,
    )
    return 0
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof ConfigError || error instanceof StartError) console.error(error.message)
    else if (code === 'EACCES') console.error('Run this as the user that runs the server.')
    else if (error instanceof NoAnswer) console.error(noAnswer(parsed))
    else if (isNobodyThere(code)) console.error('No server runs here. Start it with: npm start')
    else throw error
    return 1
  }
}

function readCommand(args: string[]): ManualCredit | undefined {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { reason: { type: 'string' }, request: { type: 'string' } },
    })
    const [command, email, usd, ...rest] = positionals
    if (command !== 'credit' || email === undefined || usd === undefined || rest.length > 0) return undefined
    if (!/^\d+(\.\d{1,2})?$/.test(usd)) return undefined
    if (values.request !== undefined && !uuidPattern.test(values.request)) return undefined
    return {
      requestId: values.request ?? randomUUID(),
      email,
      amountMicroUsd: usdToMicroUsd(Number(usd)),
      reason: values.reason ?? '',
      actor: userInfo().username,
    }
  } catch {
    return undefined
  }
}

function noAnswer({ requestId }: ManualCredit): string {
  return `The server did not say whether it credited. Once it runs well, repeat the command with
--request ${requestId}
and the amount is credited once, whatever happened now.`
}

async function sendUntilAnswered(
  socketPath: string,
  credit: ManualCredit,
): Promise<Result<number, CreditRefusal>> {
  for (const pauseMs of retryPausesMs) {
    try {
      return await send(socketPath, credit)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    }
    await sleep(pauseMs)
  }
  return send(socketPath, credit)
}

function send(socketPath: string, credit: ManualCredit): Promise<Result<number, CreditRefusal>> {
  return new Promise((done, fail) => {
    const outgoing = request(
      { socketPath, path: '/credit', method: 'POST', headers: { 'content-type': 'application/json' } },
      incoming => {
        let body = ''
        incoming.setEncoding('utf8').on('data', chunk => {
          body += chunk
        })
        incoming.on('aborted', () => fail(new NoAnswer()))
        incoming.on('end', () => {
          if ((incoming.statusCode ?? 500) >= 500) return fail(new NoAnswer())
          try {
            done(z.parse(answer, JSON.parse(body)))
          } catch (error) {
            fail(error)
          }
        })
      },
    )
    outgoing
      .on('error', (error: NodeJS.ErrnoException) => {
        fail(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? new NoAnswer() : error)
      })
      .end(JSON.stringify(credit))
  })
}

function isNobodyThere(code: string | undefined): boolean {
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR'
}
