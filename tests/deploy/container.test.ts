import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requiredInProduction, variableNames } from '#server/config/environment.ts'
import { readConfig } from '#server/config.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const containerfile = read('deploy/Containerfile')

/** `NAME=value` lines; a commented one is none. */
function readVariables(path: string): ReadonlyMap<string, string> {
  const lines = read(path)
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  return new Map(lines.map(line => line.split(/=(.*)/s) as [string, string]))
}

interface Service {
  image?: string
  build?: { target?: string }
  pull_policy?: string
  profiles?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  networks?: string[]
  healthcheck?: { disable?: boolean }
  stop_grace_period?: string
  ports?: string[]
  ulimits?: { nofile?: { soft: number; hard: number } }
  depends_on?: Record<string, unknown>
}

function readCompose(): {
  services: Record<string, Service>
  volumes: object
  networks: Record<string, unknown>
} {
  // The reader of YAML that the site's builder brings along.
  const yaml = createRequire(createRequire(import.meta.url).resolve('astro'))('js-yaml')
  return yaml.load(read('deploy/compose.yaml'))
}

test('each image from elsewhere is pinned by its digest, the same one wherever it is used', () => {
  const ours = /^(packages|build|server|farline|farline-tools)$/
  const built = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
  const run = Object.values(readCompose().services).flatMap(({ image }) => image ?? [])
  const foreign = [...built, ...run].filter(image => !ours.test(image))
  expect(foreign.length).toBeGreaterThan(4)
  expect(foreign.filter(image => !/^[\w.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  const names = foreign.map(image => image.split(':')[0])
  expect(new Set(foreign).size).toBe(new Set(names).size)
})

test('the image copies what is there, and its Node is the one that the project names', () => {
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  expect(copied).toContain('src/lib')
  for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true)
  const bases = [...containerfile.matchAll(/^FROM node:(\S+?)-/gm)].map(match => match[1])
  expect(new Set(bases)).toEqual(new Set([read('.node-version').trim()]))
  const allowed = read('deploy/Containerfile.dockerignore').match(/(?<=^!).+/gm) ?? []
  for (const path of copied)
    expect(
      allowed.some(one => path === one || path.startsWith(`${one}/`)),
      path,
    ).toBe(true)
})

test('the image runs as nobody in particular, holds no tool of tests, and is asked whether it may be sent work', () => {
  const stages = containerfile.split(/^FROM /m)
  // Whoever names no target gets the server.
  expect(stages.at(-1)?.trim()).toBe('server')
  const final = stages.find(stage => stage.startsWith('node:') && stage.includes(' AS server')) ?? ''
  expect(final).toMatch(/^USER node$/m)
  expect(final).toContain('/readyz')
  expect(final.indexOf('USER node')).toBeLessThan(final.indexOf('CMD ["node", "server/main.ts"]'))
  expect(containerfile.match(/npm (?:ci|install).*/g)).toEqual([expect.stringContaining('npm ci --omit=dev')])
})

test('the example of the environment holds all that production requires, and nothing that the server does not read', () => {
  const example = readVariables('deploy/farline.env.example')
  for (const name of Object.keys(requiredInProduction)) expect([...example.keys()]).toContain(name)
  for (const name of example.keys()) expect(variableNames).toContain(name)
  // Of each process, not of all: systemd and the image set them, and this file would win.
  for (const name of ['PORT', 'HOST', 'DATA_DIR']) expect(example.has(name)).toBe(false)
})

test('filled in, the example is a configuration of production', () => {
  const filled: Record<string, string> = {
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_API_KEY: `SK${'0'.repeat(32)}`,
    TWILIO_API_SECRET: 'secret',
    TWILIO_APP_SID: `AP${'0'.repeat(32)}`,
    TWILIO_NUMBER: '+14155550100',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    SMTP_URL: 'smtp://user:password@mail.example:587',
  }
  const example = readVariables('deploy/farline.env.example')
  const config = readConfig({ ...Object.fromEntries(example), ...filled })
  expect(config).toMatchObject({
    production: true,
    trustedProxies: 1,
    publicUrl: 'https://farline.example',
    databaseUrl: 'postgres://farline:PASSWORD@postgres:5432/farline',
    redisUrl: 'redis://redis:6379',
  })
  // Both on a network of docker's that is on no other machine, and accepted by name.
  expect(config.acceptedRisks.map(({ name }) => name)).toEqual(['plaintext-database', 'plaintext-redis'])
  for (const [name, value] of example) if (value !== '') expect(filled[name], name).toBeUndefined()
  expect(() => readConfig(Object.fromEntries(example))).toThrow(/TOKEN_SECRET: required in production/)
})

test('every service of compose.yaml is hardened, and asked how it is', () => {
  const { services, volumes, networks } = readCompose()
  expect(Object.keys(services)).toEqual([
    'server-1',
    'server-2',
    'site',
    'nginx',
    'tools',
    'postgres',
    'redis',
  ])
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    const asked = service.healthcheck !== undefined || service.image === 'farline'
    expect(asked, name).toBe(true)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      const named = /^[a-z0-9-]+$/.test(source)
      if (named) expect(Object.keys(volumes)).toContain(source)
    }
    for (const other of Object.keys(service.depends_on ?? {})) expect(Object.keys(services)).toContain(other)
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network)
  }
  // The database and Redis talk to the servers alone.
  expect(networks['inside']).toEqual({ internal: true })
  expect([services['postgres']?.networks, services['redis']?.networks]).toEqual([['inside'], ['inside']])
  const own = ['server-1', 'server-2'].map(name => services[name]?.volumes?.[0])
  expect(new Set(own).size).toBe(2)
})

test('each image of ours is built once, and the tools for backups are those of the database itself', () => {
  const services = Object.values(readCompose().services)
  const ours = services.filter(({ image }) => image?.startsWith('farline'))
  const built = ours.filter(({ build }) => build !== undefined)
  expect(built.map(({ image }) => image)).toEqual(['farline', 'farline-tools'])
  for (const service of ours) if (!built.includes(service)) expect(service.pull_policy).toBe('never')
  const tools = built[1]
  expect([tools?.profiles, tools?.build?.target]).toEqual([['tools'], 'tools'])
  const database = readCompose().services['postgres']?.image
  expect(containerfile).toContain(`FROM ${database} AS tools\n`)
})

test('nginx in compose.yaml is told all that its templates ask for, as the manual says for systemd, and what compose asks for has an example', () => {
  const { services } = readCompose()
  const given = Object.keys(services['nginx']?.environment ?? {})
  for (const template of ['farline.conf.template', 'redirect.conf.template']) {
    const asked = read(`deploy/nginx/${template}`).match(/(?<=\$\{)FARLINE_\w+(?=\})/g) ?? []
    expect(asked.length).toBeGreaterThan(1)
    for (const name of asked) {
      expect(given).toContain(name)
      expect(read('docs/operating/deployment.md')).toMatch(new RegExp(`^${name}=`, 'm'))
    }
  }
  const asked = new Set(read('deploy/compose.yaml').match(/(?<=\$\{)[A-Z_]+/g))
  expect(asked).toEqual(new Set(readVariables('deploy/compose.env.example').keys()))
})

test('compose publishes by IPv4 alone, its nginx has connections for what one machine carries, and an update stops at the first fault', () => {
  const { nginx } = readCompose().services
  expect(nginx?.ports).toEqual([
    expect.stringMatching(/^0\.0\.0\.0:80:/),
    expect.stringMatching(/^0\.0\.0\.0:443:/),
  ])
  const whole = read('deploy/nginx.conf')
  const connections = Number(/worker_connections (\d+);/.exec(whole)?.[1])
  const files = Number(/worker_rlimit_nofile (\d+);/.exec(whole)?.[1])
  expect(connections).toBeGreaterThan(20_000)
  // A connection is a file, and there are others.
  expect(files).toBeGreaterThan(connections)
  expect(nginx?.ulimits?.nofile).toEqual({ soft: files, hard: files })
  expect(nginx?.volumes).toContain('./nginx.conf:/etc/nginx/nginx.conf:ro')
  const loop = /^for server in .*$/m.exec(read('docs/operating/deployment.md'))?.[0] ?? ''
  expect(loop).toContain('|| break')
})
