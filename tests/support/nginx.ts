import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram, isListening, isMissing } from './program.ts'

const templates = join(import.meta.dirname, '..', '..', 'deploy', 'nginx')

export function findNginx(): string | undefined {
  return findProgram('nginx')
}

export function nginxIsMissing(): boolean {
  return isMissing(findNginx(), 'nginx', 'nginx-light')
}

/** Variables of the templates in `deploy/nginx`; each template documents its own. */
export type NginxVariables = Readonly<Record<`FARLINE_${string}`, string>>

/**
 * Renders a template as `envsubst` would with exactly these variables; nginx's own variables stay.
 * @throws Error when the template uses a variable that is not given
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
  readonly checked: string
  readonly directory: string
  accessLog(): string
  errorLog(): string
  reload(): void
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface NginxOptions {
  /** Loopback port; with `tls`, it is the TLS port. */
  readonly port: number
  /** A plain HTTP port that redirects to `publicUrl`. */
  readonly redirect?: { readonly port: number; readonly publicUrl: string }
  readonly tls?: { readonly certificate: string; readonly key: string }
  readonly site: string
  /** Addresses such as `127.0.0.1:4321`. */
  readonly servers: readonly string[]
  /** Timeout for a client to send its request; default: as in the template. */
  readonly clientTimeoutSeconds?: number
  readonly accessLog?: boolean
  /** Whether clients on loopback give their address in `X-Forwarded-For`, as a CDN does. */
  readonly behindCdn?: boolean
  /** Connections per worker, of which there are two. High by default. */
  readonly workerConnections?: number
}

/** `server` lines as recommended in `deploy/nginx/farline.conf.template`. */
function nginxServers(addresses: readonly string[]): string {
  return addresses.map(address => `server ${address} max_fails=3 fail_timeout=2s;`).join(' ')
}

/** The real nginx with the configuration of `deploy/nginx`, on loopback, in its own directory, without root. */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const program = findNginx()
  if (program === undefined) throw new Error('nginx is not installed')
  const directory = mkdtempSync(join(tmpdir(), 'farline-nginx-'))
  mkdirSync(join(directory, 'temp'))
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration(program, options, directory))
  const args = ['-p', directory, '-c', file, '-e', join(directory, 'start.log')]
  const check = spawnSync(program, ['-t', ...args], { encoding: 'utf8' })
  if (check.status !== 0) throw new Error(check.stderr)
  // In its own process group: its workers would survive a killed master and keep answering.
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
    reload: () => {
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

function configuration(program: string, options: NginxOptions, directory: string) {
  const { port, redirect, tls, site, clientTimeoutSeconds } = options
  const listen = `127.0.0.1:${port}`
  const parts = [
    renderNginx('farline.conf.template', {
      FARLINE_LISTEN: `listen ${listen}${tls === undefined ? '' : ' ssl http2'};`,
      FARLINE_TLS:
        tls === undefined ? '' : `ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key};`,
      FARLINE_SITE: site,
      FARLINE_CACHE: join(directory, 'pages'),
      FARLINE_SERVERS: nginxServers(options.servers),
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
    http { ${options.behindCdn ? realIp : ''} ${temporary.join(' ')} include ${mimeTypes(program)}; ${hurried} }
  `
}

/** As documented for a CDN in docs/operating/deployment.md. */
const realIp = 'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;'

function mimeTypes(program: string): string {
  const { stderr } = spawnSync(program, ['-V'], { encoding: 'utf8' })
  const [, configurationFile = '/etc/nginx/nginx.conf'] = /--conf-path=(\S+)/.exec(stderr) ?? []
  return join(dirname(configurationFile), 'mime.types')
}
