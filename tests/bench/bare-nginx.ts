import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isListening } from '#support/program.ts'
import { findFreePort } from '#support/test-server.ts'

export interface BareNginx {
  readonly url: string
  close(): Promise<void>
}

/** The peer: nginx with nothing but files, sent as the build compressed them, and no log. @param program nginx itself */
export async function startBareNginx(program: string, site: string): Promise<BareNginx> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-bare-nginx-'))
  const port = await findFreePort()
  const file = join(directory, 'nginx.conf')
  writeFileSync(
    file,
    `user ${userInfo().username}; worker_processes 1; pid ${join(directory, 'nginx.pid')};
     events { worker_connections 1024; }
     http {
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${directory};`).join(' ')}
       access_log off; sendfile on; types { text/html html; } gzip_static on; keepalive_requests 1000000;
       server { listen 127.0.0.1:${port}; root ${site}; location / { try_files $uri.html $uri =404; } }
     }`,
  )
  const child = spawn(
    program,
    ['-p', directory, '-c', file, '-e', join(directory, 'error.log'), '-g', 'daemon off;'],
    {
      stdio: 'ignore',
    },
  )
  await isListening(child, port)
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
