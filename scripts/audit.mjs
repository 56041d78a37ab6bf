// `npm run audit`: asks the package registry for vulnerabilities of level high or worse in production packages.
// Exit code 0: none; 1: at least one; 2: the registry could not be asked. Runs on Node 20 too.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const grave = new Set(['high', 'critical'])

const asked = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=1'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const report = asked.error === undefined ? readReport(asked.stdout) : undefined
if (report === undefined) {
  console.error(`The registry could not be reached. ${asked.error?.message ?? lastLine(asked.stderr)}`)
  process.exit(2)
}
const found = Object.values(report).filter(({ severity }) => grave.has(severity))
for (const { name, severity, range, via, fixAvailable } of found) {
  const why = via.map(cause =>
    typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`,
  )
  console.error(
    `${name} ${range}: ${severity}. ${why.join('; ')}. ${fixAvailable ? 'A fixed version exists.' : ''}`,
  )
}
console.log(
  found.length === 0
    ? 'No production package has a known vulnerability of level high or critical.'
    : `${found.length} production packages have a known vulnerability of level high or critical. Update them.`,
)
process.exit(found.length === 0 ? 0 : 1)

/** The vulnerable packages in npm's report; undefined if it is not a report. */
function readReport(text) {
  try {
    return JSON.parse(text).vulnerabilities
  } catch {
    return undefined
  }
}

function lastLine(text) {
  const lines = text
    .split('\n')
    .filter(line => line.startsWith('npm error') && !line.includes('complete log'))
  return lines.at(-1)?.replace(/^npm error /, '') ?? ''
}
