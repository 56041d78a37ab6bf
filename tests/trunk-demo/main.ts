/** The server with an edge, a media host and two carriers on this machine. Run by `scripts/start-trunk.mjs`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { resolveAddress } from '#server/telephony/exchange/media/own-address.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'

const root = join(import.meta.dirname, '..', '..')

/** Sells every number of the tariff for this share of what users pay. */
function sells(share: number): Record<string, number> {
  return Object.fromEntries(
    readTariff().rates.map(({ prefix, microUsdPerMinute }) => [
      prefix,
      Math.floor(microUsdPerMinute * share),
    ]),
  )
}

// Before the server runs, the exit handlers of what was started are enough: they end it.
let server: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => (server === undefined ? process.exit(1) : server.kill(signal)))
// Both let it ring for two seconds, answer, and send back what they hear.
const behaviour = { kind: 'answers', ringMs: 2000 } as const
const lab = await startTrunkLab(
  [
    { name: 'amber', behaviour, sells: sells(0.5) },
    { name: 'blue', behaviour, sells: sells(0.6) },
  ],
  // For Firefox (ADR-47).
  { mediaAddress: resolveAddress({ bound: undefined, ports: undefined }).advertised },
)
const env = { ...process.env, TELEPHONY: 'trunk', TRUNK_FILE: lab.file }
server = spawn(process.execPath, ['server/main.ts'], { cwd: root, stdio: 'inherit', env })
console.log(`Calls leave through Kamailio and rtpengine to the carriers amber, which is cheaper, and blue.
Any number answers after two seconds, and you hear yourself.
Kill amber, and the next call goes to blue: kill ${lab.carrier('amber').pid()}`)
const [code] = (await once(server, 'exit')) as [number | null]
await lab.close()
process.exit(code ?? 0)
