// `npm run dev`: the site with hot reload on PORT, in front of the server, which restarts when its files change.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { childEnvironment, findNode, installPackages, requireConfiguration, root } from './node24.mjs'

installPackages()
requireConfiguration()
const port = Number(process.env.PORT || 4321)
const publicUrl = process.env.PUBLIC_URL || `http://localhost:${port}`
const serverPort = await findFreePort()

const run = (args, extra) =>
  spawn(findNode(), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: childEnvironment(extra),
  })

const server = run(
  [
    '--watch',
    '--watch-preserve-output',
    '--watch-path=server',
    '--watch-path=src/lib',
    '--watch-path=public/tariff.csv',
    'server/main.ts',
  ],
  { PORT: String(serverPort), PUBLIC_URL: publicUrl },
)
const site = run(
  [
    'node_modules/astro/bin/astro.mjs',
    'dev',
    '--port',
    String(port),
    '--host',
    process.env.HOST || '127.0.0.1',
  ],
  { PUBLIC_URL: publicUrl, API_ORIGIN: `http://127.0.0.1:${serverPort}`, ASTRO_DEV_BACKGROUND: '0' },
)

let ending = false
function end(code) {
  if (ending) return
  ending = true
  server.kill('SIGTERM')
  site.kill('SIGTERM')
  process.exitCode = code
}
server.on('exit', code => end(code ?? 0))
site.on('exit', code => end(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0))

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}
