// `npm start`: whatever is missing is put right, then the server runs. Runs on Node 20 too.
import { spawn } from 'node:child_process'
import { childEnvironment, findNode, installPackages, root, runNode } from './node24.mjs'

installPackages()
const built = runNode(['scripts/build.mjs', '--if-changed'])
if (built !== 0) process.exit(built)

const server = spawn(findNode(), ['server/main.ts'], { cwd: root, stdio: 'inherit', env: childEnvironment() })
// The server ends in its own time; asked twice (the terminal's Ctrl+C reaches it too) it still ends once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
