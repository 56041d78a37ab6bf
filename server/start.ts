import { isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAdminSocket } from './admin/admin-socket.ts'
import { requireUsableSocketPath } from './admin/socket-path.ts'
import { createApp } from './app.ts'
import { carrierBooks, createCallControl } from './calls/carrier/control.ts'
import { trunkBooks } from './calls/carrier/trunk-books.ts'
import { reconcileCalls } from './calls/settlement/reconcile-calls.ts'
import type { Config } from './config.ts'
import type { Services } from './context.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { acquireProcessLock } from './db/process-lock.ts'
import { prepareClosing, refuseOtherUpgrades } from './http/closing.ts'
import { createLog, type Log } from './http/log.ts'
import { reportForeignSocket } from './http/origin.ts'
import { type AddressOfSocket, addressOf, type SocketRequest } from './http/socket-address.ts'
import { openGoogle } from './identity/google/open.ts'
import { sessionIsOver } from './identity/sessions-over.ts'
import { openMail } from './mail/open.ts'
import { AddressRefused } from './mail/port.ts'
import { type Observability, openObservability, readVersion } from './observability/open.ts'
import { openTracing, traceDatabase } from './observability/tracing.ts'
import { operations, watchPort } from './observability/watched-port.ts'
import { openPayments } from './payment-provider/open.ts'
import type { Clock } from './process/clock.ts'
import { readOrCreateNodeId } from './process/node-id.ts'
import type { Random } from './process/random.ts'
import { deriveKeys, readOrCreateSecret } from './process/secret.ts'
import { StartError } from './process/start-error.ts'
import { stopTimes } from './process/stop-times.ts'
import { announceBalance } from './realtime/announce-balance.ts'
import { createSockets } from './realtime/sockets.ts'
import { readCosts } from './tariff/costs-file.ts'
import { readTariff } from './tariff/tariff-file.ts'
import type { Exchange } from './telephony/exchange/exchange.ts'
import { openTelephony } from './telephony/open.ts'
import { startWorkers } from './workers.ts'

export interface RunningServer {
  readonly url: string
  readonly services: Services
  /** Undefined if another network carries the calls. */
  readonly exchange: Exchange | undefined
  /** Stops accepting work, ends and settles every call, and saves all state. */
  stop(): Promise<void>
}

const siteDirectory = join(import.meta.dirname, '..', 'dist')

interface Basics {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly dataDirectory: string
}

/** Settles what an earlier process left open, then listens. @throws StartError, DirectoryInUse, or the listener's error */
export async function startServer(config: Config, clock: Clock, random: Random): Promise<RunningServer> {
  const dataDirectory = resolve(config.dataDirectory)
  requireUsableSocketPath(dataDirectory)
  const basics: Basics = { config, clock, random, log: createLog(config.logLevel), dataDirectory }
  for (const { name, variable, says } of config.acceptedRisks)
    basics.log.warn({ risk: name }, `an accepted risk: ${variable} ${says}`)
  const storage = await openStorage(basics)
  const addressOfSocket = (request: SocketRequest) => addressOf(request, config)
  const network = await openNetwork(basics, storage, addressOfSocket, request =>
    reportForeignSocket(services, addressOfSocket(request)),
  )
  const { services, observability } = createServices(basics, storage, network)
  const listeners = await openListeners(basics, storage, network, services, observability)
  return {
    url: config.publicUrl,
    services,
    exchange: network.telephony.exchange,
    stop: async () => {
      await listeners.close()
      await storage.redis?.close()
      await observability.stop()
      await storage.close()
    },
  }
}

/** Whether other processes reach the same telephones: the exchange's are in its own process. */
function sharesTelephones({ twilio, trunkFile }: Config): boolean {
  return twilio !== undefined || trunkFile !== undefined
}

type Storage = Awaited<ReturnType<typeof openStorage>>

/** What outlasts the process, or is shared with others: the database, the keys, Redis. */
async function openStorage({ config, clock, random, log, dataDirectory }: Basics) {
  const database = await openDatabase(config, dataDirectory)
  const place =
    config.databaseUrl === undefined
      ? undefined
      : await acquireProcessLock(
          config.databaseUrl,
          sharesTelephones(config) ? 'among others' : 'alone',
          message => log.error(message),
        )
  await migrate(database, clock.now(), {
    onNewer: names =>
      log.warn({ names }, 'the database has migrations of a newer version, which runs beside this one'),
  })
  const nodeId = readOrCreateNodeId(dataDirectory, random)
  const tracing = await openTracing(
    config.tracesUrl === undefined
      ? undefined
      : {
          url: config.tracesUrl,
          version: readVersion(),
          process: nodeId,
          behindProxy: config.trustedProxies > 0,
        },
  )
  const db = traceDatabase(database, tracing)
  const keys = deriveKeys(readOrCreateSecret(config.tokenSecret, dataDirectory, random))
  if (config.redisUrl !== undefined && config.tokenSecret === undefined && sharesTelephones(config)) {
    throw new StartError(
      "Processes that share a Redis take each other's tokens: set one TOKEN_SECRET, of at least 32 random characters, in all of them.",
    )
  }
  const { redisUrl } = config
  const redis =
    redisUrl === undefined ? undefined : (await import('./redis/redis.ts')).openRedis(redisUrl, log)
  return {
    db,
    nodeId,
    tracing,
    keys,
    redis,
    /** A single process has no other to send traffic to, so it need not drain. */
    hasOthers: place !== undefined && sharesTelephones(config),
    close: async () => {
      await db.close()
      await place?.release()
      await tracing?.close()
    },
  }
}

type Network = Awaited<ReturnType<typeof openNetwork>>

/** The ways to pages, telephones and banks. Nothing is served yet. */
async function openNetwork(
  { config, clock, random, log }: Basics,
  { db, keys, redis }: Storage,
  addressOfSocket: AddressOfSocket,
  onForeignOrigin: (request: SocketRequest) => void,
) {
  const { publicUrl } = config
  const sockets = createSockets({
    accessKey: keys.access,
    clock,
    publicUrl,
    log,
    sessionIsOver: id => sessionIsOver(db, id),
    redis,
    addressOf: addressOfSocket,
    onForeignOrigin,
  })
  const telephony = await openTelephony(config, {
    clock,
    secret: keys.voice,
    log,
    random,
    publicUrl,
    tokenTtlSeconds: config.voiceTokenSeconds,
    address: config.exchangeAddress,
    books: carrierBooks(db),
    trunkBooks: trunkBooks(db),
    addressOf: addressOfSocket,
    onForeignOrigin,
  })
  const ownAddress = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${config.port}`
  const { payments, local: localPayments } = await openPayments(config, {
    db,
    clock,
    random,
    log,
    secret: keys.payments,
    publicUrl,
    webhookUrl: `${ownAddress}/api/webhooks/local`,
    onError: error => log.warn({ err: error }, 'delivering payment events failed'),
  })
  return { sockets, telephony, payments, localPayments, ownAddress }
}

/** The ports as the features get them, watched for the metrics. */
function createServices(
  { config, clock, random, log, dataDirectory }: Basics,
  { db, nodeId, tracing, keys, redis }: Storage,
  { sockets, telephony, payments }: Network,
) {
  const observability = openObservability({
    config,
    dataDirectory,
    db,
    clock,
    log,
    nodeId,
    tracing,
    liveCallIds: () => telephony.live(),
    sockets: () => sockets.count(),
    redisReady: redis?.isAnswering,
    prepaidUsd: telephony.prepaidUsd,
  })
  const watching = { clock, observe: observability.observe, tracing }
  const services: Services = {
    db,
    clock,
    random,
    keys,
    tariff: readTariff(),
    costs: telephony.costs ?? readCosts(),
    policy: config.policy,
    paymentPolicy: config.paymentPolicy,
    telephony: watchPort(telephony.telephony, telephony.provider, operations.telephony, watching),
    payments: watchPort(payments, payments.provider, operations.payments, watching),
    notifier: sockets,
    log,
    observe: observability.observe,
    publicUrl: config.publicUrl,
    nodeId,
    accessTokenSeconds: config.accessTokenSeconds,
  }
  return { services, observability }
}

async function openListeners(
  { config, clock, random, log, dataDirectory }: Basics,
  { db, redis, tracing, hasOthers }: Storage,
  { sockets, telephony, localPayments, ownAddress }: Network,
  services: Services,
  observability: Observability,
) {
  let stopping = false
  let closing = false
  const watching = { clock, observe: observability.observe, tracing }
  const google = openGoogle(config, { clock, random, log, publicUrl: config.publicUrl, ownAddress })
  const app = await createApp({
    config,
    services,
    log,
    observability,
    redis,
    handsets: telephony.exchange,
    twilio: telephony.twilio,
    hostedCheckout: localPayments?.hosted,
    ...google,
    google: google.google && watchPort(google.google, 'google', operations.google, watching),
    siteDirectory,
    isStopping: () => stopping,
  })
  const closeInOrder = prepareClosing(app)

  await reconcileCalls(services, 0)
  telephony.open(createCallControl(services), app.server)
  sockets.open(app.server, userId => announceBalance(services, userId))
  refuseOtherUpgrades(app.server, [...telephony.socketPaths, '/socket.io/'], () => closing)
  await app.listen({ port: config.port, host: config.host })
  localPayments?.start()
  const mail = await openMail(config, { db, clock })
  const provider = config.smtp === undefined ? 'inbox' : 'smtp'
  const isAnswer = (thrown: unknown) => thrown instanceof AddressRefused
  const workers = startWorkers({
    services,
    mailer: watchPort(mail.mailer, provider, operations.mail, watching, isAnswer),
    liveCallIds: () => telephony.live(),
    sockets,
    log,
    tracing,
  })
  observability.start()
  const adminSocket = await openAdminSocket(dataDirectory, services)

  return {
    close: async () => {
      stopping = true
      await adminSocket.close()
      if (hasOthers) await sleep(stopTimes.drain)
      closing = true
      // From here on no new connections are accepted, however long the rest takes.
      const answered = closeInOrder()
      await telephony.telephony.close()
      await sockets.close()
      await Promise.all([answered, localPayments?.stop(), workers.stop()])
      mail.close()
    },
  }
}
