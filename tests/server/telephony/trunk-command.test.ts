import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const directory = mkdtempSync(join(tmpdir(), 'farline-trunk-command-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The command as an operator runs it. */
function trunk(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/trunk.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const file = join(directory, 'trunk.json')
const limits = { calls: 30, callsPerSecond: 5 }
writeFileSync(
  file,
  JSON.stringify({
    edges: [
      {
        name: 'edge',
        control: 'http://10.0.0.5:5080',
        media: 'http://10.0.0.5:22280',
        redis: 'redis://10.0.0.5:6379/1',
      },
    ],
    publicNumbers: ['+442079460000'],
    carriers: [
      {
        ...{ name: 'blue', set: 1, prices: 'blue.csv', ...limits },
        addresses: ['sip:198.51.100.7:5060;transport=udp', 'sip:198.51.100.8:5060;transport=udp'],
        sources: ['198.51.100.9'],
      },
      {
        ...{ name: 'red', set: 2, prices: 'red.csv', ...limits },
        addresses: ['sip:sip.carrier.example;transport=tls'],
        credentials: { user: 'farline', passwordFile: 'red.password' },
      },
    ],
  }),
)

test('prints the list of carriers of an edge, or says which file is missing', () => {
  const missing = trunk('carriers', file)
  expect(missing).toMatchObject({ status: 1, stdout: '' })
  expect(missing.stderr).toContain(`${join(directory, 'red.password')} cannot be read`)
  writeFileSync(join(directory, 'red.password'), 'a;b=c\n')
  expect(trunk('carriers', file)).toEqual({
    status: 0,
    stdout: `1 sip:198.51.100.7:5060;transport=udp 0 0 calls=30;cps=5
1 sip:198.51.100.8:5060;transport=udp 0 0 calls=30;cps=5
1 sip:198.51.100.9 4 0
2 sip:sip.carrier.example;transport=tls 0 0 calls=30;cps=5;user=farline;password=613b623d63
`,
    stderr: '',
  })
})

test('shows its usage unless it is told what to print', () => {
  for (const args of [[], ['carriers'], ['edges', file], ['carriers', file, file]])
    expect(trunk(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npm run trunk -- carriers'),
    })
})
