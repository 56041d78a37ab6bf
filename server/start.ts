import { isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { createApp } from './app.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { createLog } from './http/log.ts'
import { refuseOtherUpgrades } from './http/upgrades.ts'
import { openGoogle } from './identity/google/open.ts'
import { createLocalInbox } from './mail/local-inbox.ts'
import { readOrCreateNodeId } from './node-id.ts'
import { openOperatorDoor, requireUsableDoor } from './operator/door.ts'
import { openPayments } from './payments/open.ts'
import type { Random } from './random.ts'
import { createSockets } from './realtime/sockets.ts'
import { deriveKeys, readOrCreateSecret } from './secret.ts'
import { announceBalance } from './services/announce.ts'
import { createCallControl } from './services/calls/control.ts'
import { reconcileCalls } from './services/calls/reconcile.ts'
import type { Services } from './services/context.ts'
import { sessionIsOver } from './services/devices.ts'
import { readTariff } from './tariff-file.ts'
import { createExchange, type Exchange } from './telephony/exchange/exchange.ts'
import { startWorkers } from './workers.ts'

export interface RunningServer {
  readonly url: string
  readonly services: Services
  readonly exchange: Exchange
  /** Stops taking work, ends and settles every call, writes everything down. */
  stop(): Promise<void>
}

const siteDirectory = join(import.meta.dirname, '..', 'dist')

/**
 * Puts the server together on the adapters that the configuration names, settles what an earlier process left open, and
 * listens.
 * @throws StartError, DirectoryInUse when another process has the data directory, or the listener's error.
 */
export async function startServer(config: Config, clock: Clock, random: Random): Promise<RunningServer> {
  const dataDirectory = resolve(config.dataDirectory)
  requireUsableDoor(dataDirectory)
  const db = await openDatabase(config, dataDirectory)
  await migrate(db, clock.now())

  const keys = deriveKeys(readOrCreateSecret(config.tokenSecret, dataDirectory, random))
  const log = createLog(config.logLevel)
  const sockets = createSockets({
    accessKey: keys.access,
    clock,
    publicUrl: config.publicUrl,
    log,
    sessionIsOver: id => sessionIsOver(db, id),
  })
  const ownAddress = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${config.port}`
  let stopping = false
  const exchange = createExchange({
    clock,
    secret: keys.voice,
    log,
    random,
    tokenTtlSeconds: config.voiceTokenSeconds,
    address: config.exchangeAddress,
  })
  const { payments, local: localPayments } = openPayments(config, {
    db,
    clock,
    random,
    log,
    secret: keys.payments,
    publicUrl: config.publicUrl,
    webhookUrl: `${ownAddress}/api/webhooks/local`,
    onError: error => log.warn({ err: error }, 'delivering payment events failed'),
  })
  const services: Services = {
    db,
    clock,
    random,
    keys,
    tariff: readTariff(),
    policy: config.policy,
    paymentPolicy: config.paymentPolicy,
    telephony: exchange,
    payments,
    notifier: sockets,
    log,
    publicUrl: config.publicUrl,
    nodeId: readOrCreateNodeId(dataDirectory, random),
    accessTokenSeconds: config.accessTokenSeconds,
  }
  const app = await createApp({
    config,
    services,
    log,
    handsets: exchange,
    hostedCheckout: localPayments?.hosted,
    ...openGoogle(config, { clock, random, log, publicUrl: config.publicUrl, ownAddress }),
    siteDirectory,
    isStopping: () => stopping,
  })

  await reconcileCalls(services, 0)
  exchange.open({ control: createCallControl(services), server: app.server })
  sockets.open(app.server, userId => announceBalance(services, userId))
  refuseOtherUpgrades(app.server, ['/exchange/signal', '/socket.io/'], () => stopping)
  await app.listen({ port: config.port, host: config.host })
  localPayments?.start()
  const workers = startWorkers({
    services,
    mailer: createLocalInbox(db, clock),
    liveCallIds: () => exchange.live(),
    sockets,
    log,
  })
  const door = await openOperatorDoor(dataDirectory, services)

  return {
    url: config.publicUrl,
    services,
    exchange,
    stop: async () => {
      stopping = true
      await door.close()
      await exchange.close()
      await localPayments?.stop()
      await workers.stop()
      await sockets.close()
      await app.close()
      await db.close()
    },
  }
}
