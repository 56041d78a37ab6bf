import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram, isMissing } from '#support/program.ts'

const root = join(import.meta.dirname, '..', '..')
const trunk = join(root, 'deploy/trunk')
const read = (name: string) => readFileSync(join(trunk, name), 'utf8')

/** @returns what systemd complains of; undefined where it is not installed */
function verify(directory: string, unit: string): readonly string[] | undefined {
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', join(directory, unit)], {
    encoding: 'utf8',
  })
  if (verified.error !== undefined) {
    console.log('SKIPPED: systemd-analyze is not installed. Debian: `apt-get install systemd` as root.')
    return undefined
  }
  // It also looks at what is installed on this machine.
  return verified.stderr.split('\n').filter(line => line.includes(directory) || line.includes(unit))
}

test('systemd understands the unit of the edge, and finds nothing to warn of', () => {
  const directory = mkdtempSync(join(tmpdir(), 'farline-unit-'))
  copyFileSync(join(trunk, 'edge-run'), join(directory, 'edge-run'))
  const unit = read('farline-edge.service').replaceAll('/opt/farline-edge', directory)
  writeFileSync(join(directory, 'farline-edge.service'), unit.replace(/^(User|Group)=.*$/gm, '$1=root'))
  const complaints = verify(directory, 'farline-edge.service')
  rmSync(directory, { recursive: true })
  expect(complaints ?? []).toEqual([])
})

test.each([
  ['rtpengine-daemon', 'rtpengine-daemon.conf'],
  ['coturn', 'coturn.conf'],
])("systemd understands what is added to Debian's unit of %s", (name, added) => {
  const debian = `/lib/systemd/system/${name}.service`
  if (!existsSync(debian)) return console.log(`SKIPPED: ${name} is not installed.`)
  // systemd looks whether what a unit runs is there.
  if (isMissing(findProgram('nft'), 'nft', 'nftables')) return
  const directory = mkdtempSync(join(tmpdir(), 'farline-unit-'))
  writeFileSync(
    join(directory, `${name}.service`),
    readFileSync(debian, 'utf8').replace(/^InaccessibleDirectories=.*$/m, ''),
  )
  mkdirSync(join(directory, `${name}.service.d`))
  copyFileSync(join(trunk, added), join(directory, `${name}.service.d/farline.conf`))
  const complaints = verify(directory, `${name}.service`)
  rmSync(directory, { recursive: true })
  expect(complaints ?? []).toEqual([])
})

test('no program of an edge may do more than it needs', () => {
  for (const name of ['farline-edge.service', 'rtpengine-daemon.conf', 'coturn.conf']) {
    const text = read(name)
    for (const line of [
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'NoNewPrivileges=yes',
      'PrivateDevices=yes',
    ])
      expect(text.split('\n'), name).toContain(line)
    const [, capabilities] = /^CapabilityBoundingSet=(.*)$/m.exec(text) ?? []
    expect(capabilities, name).toBe(name === 'coturn.conf' ? 'CAP_NET_BIND_SERVICE' : '')
  }
})

test('the example of the environment names all that kamailio.cfg reads, and nothing else', () => {
  const asked = new Set(read('kamailio.cfg').match(/(?<=\$env\(|defenv )EDGE_\w+/g))
  expect(asked.size).toBeGreaterThan(8)
  const named = new Set(
    read('edge.env.example')
      .match(/^(?:# )?EDGE_\w+(?==)/gm)
      ?.map(name => name.replace('# ', '')),
  )
  expect(named).toEqual(asked)
})

test('every service of an edge in compose.yaml is hardened, and runs what is here', () => {
  const yaml = createRequire(createRequire(import.meta.url).resolve('astro'))('js-yaml')
  const { services } = yaml.load(read('compose.yaml')) as {
    services: Record<string, Record<string, unknown>>
  }
  expect(Object.keys(services)).toEqual(['edge', 'media', 'redis'])
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      network_mode: 'host',
    })
  }
  const image = /^FROM (\S+)$/m.exec(read('Containerfile'))?.[1]
  expect(image).toMatch(/@sha256:[0-9a-f]{64}$/)
  expect(services['redis']?.['image']).toBe(image)
  expect(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')).toContain(`image: ${image}\n`)
  const [, copied = ''] = /^COPY (.+) \S+$/m.exec(read('Containerfile')) ?? []
  for (const name of copied.split(' ')) expect(readdirSync(trunk)).toContain(name)
})

test('the packages of an edge are the same in the image, in the manual, and for the tests', () => {
  const sources = [
    read('Containerfile'),
    readFileSync(join(root, 'docs/operating/trunk.md'), 'utf8'),
    readFileSync(join(root, '.ci/run'), 'utf8'),
  ]
  for (const text of sources)
    expect(new Set(text.match(/(?<![\w/-])kamailio-\w+-modules|rtpengine-daemon(?=[ \n)])/g))).toEqual(
      new Set([
        'kamailio-redis-modules',
        'kamailio-secsipid-modules',
        'kamailio-tls-modules',
        'kamailio-websocket-modules',
        'rtpengine-daemon',
      ]),
    )
})
