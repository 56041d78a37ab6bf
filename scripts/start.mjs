// `npm start`: installs and builds what is missing, then runs the server. Runs on Node 20 too.
// `package.json` starts it with `exec`: npm passes SIGTERM to the shell, which would end alone and leave the server running.
import { installPackages, requireConfiguration, runNodeToItsEnd } from './node24.mjs'

installPackages({ production: true })
requireConfiguration()
const draft = process.env.NODE_ENV === 'production' ? [] : ['--draft']
const built = await runNodeToItsEnd(['scripts/build.mjs', '--if-changed', ...draft])
if (built !== 0) process.exit(built)
// Limits the space for new objects to 3 x 8 MB, which saves an idle server 30 MB.
process.exit(await runNodeToItsEnd(['--max-semi-space-size=8', 'server/main.ts']))
