import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { askServer } from '#server/admin/ask.ts'
import { commands } from '#server/admin/commands/all.ts'
import type { Typed } from '#server/admin/commands/command.ts'
import { adminSocketPath } from '#server/admin/socket-path.ts'
import { claimOperatorLink } from '#server/identity/operator-sessions.ts'
import { keepForFile } from '#support/file-world.ts'
import { securedSession } from '#support/secured.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())
const directory = mkdtempSync(join(tmpdir(), 'farline-ops-'))
const adminSocket = await openAdminSocket(directory, world.services)
afterAll(async () => {
  await adminSocket.close()
  rmSync(directory, { recursive: true, force: true })
})

/** What the command line prints, asked through the door as it asks; undefined where it shows its usage. */
async function run(name: string, typed: Partial<Typed> = {}): Promise<string | undefined> {
  const command = commands.find(candidate => candidate.name === name)
  const asked = command?.read({
    args: [],
    reason: '',
    request: undefined,
    signOut: false,
    costs: undefined,
    carrier: undefined,
    apply: false,
    as: undefined,
    end: false,
    actor: 'root',
    ...typed,
  })
  if (command === undefined || asked === undefined) return undefined
  const answer = await askServer(adminSocketPath(directory), asked)
  return answer.ok ? command.format(answer.value, asked) : command.errorTexts[answer.code]
}

test('prints a link and how long it works, for the operator or the person they name', async () => {
  const printed = await run('ops-link')
  expect(printed).toMatch(
    /^http:\/\/localhost:4321\/ops#sign-in=[\w-]{43}\nIt works once, until 2026-03-01 12:10 UTC\. Open it while logged in with a second factor: you are then logged in as an operator for 12 hours\.$/,
  )
  const token = /sign-in=([\w-]+)/.exec(printed ?? '')?.[1] ?? ''
  const { id } = await world.addUser()
  const { sessionId } = await securedSession(world.services, id)
  expect((await claimOperatorLink(world.services, token, sessionId)).ok).toBe(true)
  const other = await run('ops-link', { as: 'Anna' })
  await claimOperatorLink(world.services, /sign-in=([\w-]+)/.exec(other ?? '')?.[1] ?? '', sessionId)
  const listed = await run('ops-sessions')
  expect(listed?.split('\n').toSorted((one, two) => one.slice(36).localeCompare(two.slice(36)))).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36} {2}Anna {2}since 2026-03-01 12:00, until 2026-03-02 00:00$/),
    expect.stringMatching(/^[0-9a-f-]{36} {2}root {2}since/),
  ])
  const [anna = ''] = listed?.split('\n').filter(line => line.includes('Anna')) ?? []
  expect(await run('ops-sessions', { args: [anna.slice(0, 36)], end: true })).toBe('Ended 1 session.')
  expect(await run('ops-sessions', { args: [anna.slice(0, 36)], end: true })).toBe(
    'No such session is open. List them with: ops-sessions',
  )
  expect(await run('ops-sessions', { end: true })).toBe('Ended 1 session.')
  expect(await run('ops-sessions', { end: true })).toBe('Ended 0 sessions.')
  expect(await run('ops-sessions')).toBe('Nobody is logged in.')
})

test('shows the usage for impossible arguments, and rejects a bad name', async () => {
  expect(await run('ops-link', { args: ['Anna'] })).toBeUndefined()
  expect(await run('ops-sessions', { args: ['everybody'], end: true })).toBeUndefined()
  expect(await run('ops-sessions', { args: [world.services.random.uuid()] })).toBeUndefined()
  expect(await run('ops-link', { as: 'a\tb' })).toContain('A name has up to 40')
})
