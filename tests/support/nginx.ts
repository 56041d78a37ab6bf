import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram, isListening, isMissing } from './program.ts'

const templates = join(import.meta.dirname, '..', '..', 'deploy', 'nginx')

/** The nginx of this machine. Undefined: none is installed, and what needs one says SKIPPED. */
export function findNginx(): string | undefined {
  return findProgram('nginx')
}

/** Says why tests of nginx do not run here; give it to `test.skipIf`. */
export function nginxIsMissing(): boolean {
  return isMissing(findNginx(), 'nginx', 'nginx-light')
}

/** What the templates of `deploy/nginx` ask for; each file says what its own are. */
export type NginxVariables = Readonly<Record<`FARLINE_${string}`, string>>

/**
 * A template as `envsubst` would leave it with exactly these variables: nginx's own stay.
 * @throws Error when the template asks for one that is not given
 */
export function renderNginx(template: string, variables: NginxVariables): string {
  const text = readFileSync(join(templates, template), 'utf8')
  return text.replace(/\$\{(FARLINE_\w+)\}/g, (_all, name: `FARLINE_${string}`) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`${template} asks for ${name}`)
    return value
  })
}

export interface Nginx {
  /** What it was told about itself: `nginx -t`. */
  readonly checked: string
  readonly directory: string
  accessLog(): string
  errorLog(): string
  /** Reads the configuration anew with other servers, as `nginx -s reload` does: none of its connections is cut. */
  reload(servers: string): void
  /** kill -9 of all its processes. */
  kill(): Promise<void>
  /** Starts it again, with the configuration that it had. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface NginxOptions {
  /** Ports of loopback; with `tls` the first one speaks TLS. */
  readonly port: number
  /** Where `port` says so with a redirect: plain HTTP to `publicUrl`. */
  readonly redirect?: { readonly port: number; readonly publicUrl: string }
  readonly tls?: { readonly certificate: string; readonly key: string }
  /** The built site. */
  readonly site: string
  /** Addresses such as `127.0.0.1:4321`. */
  readonly servers: readonly string[]
  /** How long a client may take to ask; as the template says, unless a test cannot wait for it. */
  readonly clientTimeoutSeconds?: number
  /** False: none is written. */
  readonly accessLog?: boolean
  /** Connections of each of two workers; plenty unless a test wants them to run out. */
  readonly workerConnections?: number
}

/** `server` lines as `deploy/nginx/farline.conf.template` recommends them. */
export function nginxServers(addresses: readonly string[]): string {
  return addresses.map(address => `server ${address} max_fails=3 fail_timeout=2s;`).join(' ')
}

/** The real nginx with the configuration of `deploy/nginx` on loopback, in a directory of its own, as any user. */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const program = findNginx()
  if (program === undefined) throw new Error('nginx is not installed')
  const directory = mkdtempSync(join(tmpdir(), 'farline-nginx-'))
  mkdirSync(join(directory, 'temp'))
  const file = join(directory, 'nginx.conf')
  const write = (servers: string) => writeFileSync(file, configuration(program, options, directory, servers))
  write(nginxServers(options.servers))
  const args = ['-p', directory, '-c', file, '-e', join(directory, 'start.log')]
  const check = spawnSync(program, ['-t', ...args], { encoding: 'utf8' })
  if (check.status !== 0) throw new Error(check.stderr)
  // In a group of its own: its workers would outlive a master that is killed, and go on answering.
  const run = () => spawn(program, [...args, '-g', 'daemon off;'], { stdio: 'ignore', detached: true })
  let child = run()
  await isListening(child, options.port)
  const end = async (signal: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    signal()
    await gone
  }
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  return {
    checked: check.stderr,
    directory,
    accessLog: () => read('access.log'),
    errorLog: () => read('error.log') + read('start.log'),
    reload: servers => {
      write(servers)
      child.kill('SIGHUP')
    },
    kill: () =>
      end(() => {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      }),
    start: async () => {
      child = run()
      await isListening(child, options.port)
    },
    close: async () => {
      await end(() => child.kill('SIGTERM'))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function configuration(program: string, options: NginxOptions, directory: string, servers: string) {
  const { port, redirect, tls, site, clientTimeoutSeconds } = options
  const listen = `127.0.0.1:${port}`
  const parts = [
    renderNginx('farline.conf.template', {
      FARLINE_LISTEN: `listen ${listen}${tls === undefined ? '' : ' ssl http2'};`,
      FARLINE_TLS:
        tls === undefined ? '' : `ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key};`,
      FARLINE_SITE: site,
      FARLINE_SERVERS: servers,
      FARLINE_ACCESS_LOG: options.accessLog === false ? 'off' : `${join(directory, 'access.log')} farline`,
      FARLINE_ERROR_LOG: join(directory, 'error.log'),
    }),
  ]
  if (redirect !== undefined) {
    parts.push(
      renderNginx('redirect.conf.template', {
        FARLINE_HTTP_LISTEN: `listen 127.0.0.1:${redirect.port} default_server;`,
        FARLINE_PUBLIC_URL: redirect.publicUrl,
        FARLINE_ACME: join(directory, 'acme'),
      }),
    )
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(directory, 'temp')};`,
  )
  const whole = parts.join('\n')
  const hurried =
    clientTimeoutSeconds === undefined
      ? whole
      : whole.replace(/(client_(?:header|body)_timeout) \w+;/g, `$1 ${clientTimeoutSeconds}s;`)
  return `
    user ${userInfo().username};
    worker_processes 2;
    pid ${join(directory, 'nginx.pid')};
    events { worker_connections ${options.workerConnections ?? 4096}; }
    http { ${temporary.join(' ')} include ${mimeTypes(program)}; ${hurried} }
  `
}

/** The table of types that came with the program. */
function mimeTypes(program: string): string {
  const { stderr } = spawnSync(program, ['-V'], { encoding: 'utf8' })
  const [, configurationFile = '/etc/nginx/nginx.conf'] = /--conf-path=(\S+)/.exec(stderr) ?? []
  return join(dirname(configurationFile), 'mime.types')
}
