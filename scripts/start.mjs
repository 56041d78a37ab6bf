// `npm start`: installs and builds what is missing, then runs the server. Runs on Node 20 too.
// `package.json` starts it with `exec`: npm passes SIGTERM to the shell, which would end alone and leave the server running.
import { spawn } from 'node:child_process'
import {
  childEnvironment,
  findNode,
  installPackages,
  requireConfiguration,
  root,
  runNode,
} from './node24.mjs'

installPackages({ production: true })
requireConfiguration()
const draft = process.env.NODE_ENV === 'production' ? [] : ['--draft']
const built = runNode(['scripts/build.mjs', '--if-changed', ...draft])
if (built !== 0) process.exit(built)

// Limits the space for new objects to 3 x 8 MB, which saves an idle server 30 MB.
const server = spawn(findNode(), ['--max-semi-space-size=8', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: childEnvironment(),
})
// The server ends in its own time; a second signal (Ctrl+C in the terminal reaches it too) does no harm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
