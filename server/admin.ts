import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { uuidPattern } from '#lib/uuid.ts'
import { askServer, NoAnswer } from './admin/ask.ts'
import { commands, usage } from './admin/commands/all.ts'
import type { AdminRequest, Command } from './admin/commands/command.ts'
import { adminSocketPath, requireUsableSocketPath } from './admin/socket-path.ts'
import { ConfigError, readConfig } from './config.ts'
import { StartError } from './process/start-error.ts'

process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  try {
    const read = readCommand(args)
    if (read === undefined) {
      console.error(usage)
      return 2
    }
    const { command, asked } = read
    return await ask(command, asked)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    return 1
  }
}

async function ask(command: Command, asked: AdminRequest): Promise<number> {
  try {
    const dataDirectory = resolve(readConfig(process.env).dataDirectory)
    requireUsableSocketPath(dataDirectory)
    const answer = await askServer(adminSocketPath(dataDirectory), asked)
    if (!answer.ok) {
      console.error(command.errorTexts[answer.code] ?? `The server rejected the command: ${answer.code}`)
      return 1
    }
    console.log(command.format(answer.value, asked))
    return 0
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof ConfigError || error instanceof StartError) console.error(error.message)
    else if (code === 'EACCES') console.error('Run this as the user that runs the server.')
    else if (error instanceof NoAnswer) console.error(noAnswer(asked))
    else if (isNobodyThere(code)) console.error('No server runs here. Start it with: npm start')
    else throw error
    return 1
  }
}

function readCommand(args: string[]): { command: Command; asked: AdminRequest } | undefined {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        reason: { type: 'string' },
        request: { type: 'string' },
        costs: { type: 'string' },
        carrier: { type: 'string' },
        apply: { type: 'boolean' },
        as: { type: 'string' },
        'sign-out': { type: 'boolean' },
        end: { type: 'boolean' },
      },
    })
    const [name, ...given] = positionals
    const {
      reason = '',
      request,
      costs,
      carrier,
      apply = false,
      as,
      'sign-out': signOut = false,
      end = false,
    } = values
    if (request !== undefined && !uuidPattern.test(request)) return undefined
    const command = commands.find(candidate => candidate.name === name)
    const typed = { args: given, reason, request, costs, carrier, apply, as, signOut, end }
    const asked = command?.read({ ...typed, actor: userInfo().username })
    return command && asked && { command, asked }
  } catch (error) {
    if (error instanceof StartError) throw error
    return undefined
  }
}

function noAnswer({ requestId, uncertainty }: AdminRequest): string {
  const unheard = `The server did not say ${uncertainty}.`
  if (requestId === undefined) return unheard
  return `${unheard} When the server runs again, repeat the command with
--request ${requestId}
It is then done exactly once, even if it was done now.`
}

function isNobodyThere(code: string | undefined): boolean {
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR'
}
