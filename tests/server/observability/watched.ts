import { tmpdir } from 'node:os'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { carrierBooks, createCallControl } from '#server/calls/carrier/control.ts'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import { type Observability, openObservability } from '#server/observability/open.ts'
import { type Tracing, traceDatabase } from '#server/observability/tracing.ts'
import { operations, watchPort } from '#server/observability/watched-port.ts'
import type { CallControl } from '#server/telephony/port.ts'
import { createTwilio } from '#server/telephony/twilio/adapter.ts'
import { openApp } from '#support/app.ts'
import { fakeAccount } from '#support/fake-twilio/fake-twilio.ts'
import { createWorld, type World } from '#support/world.ts'

/** The web application and the use cases with somebody who watches, put together as the server does. */
export interface Watched extends Pick<World, 'db' | 'close'> {
  readonly world: World
  readonly services: Services
  readonly control: CallControl
  readonly observability: Observability
  readonly app: FastifyInstance
  /** The value of one line of the metrics: 0 where there is none. */
  metric(line: string): Promise<number>
  /** The metrics as they are read. */
  read(headers?: InjectOptions['headers']): Promise<string>
}

export interface WatchedOptions {
  readonly metricsToken?: string
  readonly tracing?: Tracing
  readonly redisReady?: () => boolean
  readonly publicUrl?: string
  readonly siteDirectory?: string
}

export async function createWatched(options: WatchedOptions = {}): Promise<Watched> {
  const world = await createWorld(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl })
  const { clock } = world
  const { tracing } = options
  const log = createLog('silent')
  const db = traceDatabase(world.db, tracing)
  const observability = openObservability({
    config: { publicUrl: world.services.publicUrl },
    dataDirectory: tmpdir(),
    db,
    clock,
    log,
    nodeId: 'the-only-process',
    tracing,
    liveCallIds: () => ['one', 'two'],
    sockets: () => 3,
    redisReady: options.redisReady,
    prepaidUsd: async () => 12.5,
  })
  const { observe } = observability
  const watching = { clock, observe, tracing }
  const services: Services = {
    ...world.services,
    db,
    observe,
    payments: watchPort(world.provider, 'stripe', operations.payments, watching),
  }
  const control = createCallControl(services)
  const { publicUrl, random } = services
  // Where it would ask somebody nobody listens.
  const settings = { ...fakeAccount, apiUrl: 'http://127.0.0.1:1' }
  const twilio = createTwilio(settings, { clock, random, log, publicUrl, books: carrierBooks(db) })
  twilio.open(control)
  const app = await openApp({
    config: {
      production: false,
      trustedProxies: 0,
      reviewUrl: undefined,
      ...(options.metricsToken === undefined ? {} : { metricsToken: options.metricsToken }),
    },
    services,
    log,
    observability,
    twilio,
    ...(options.siteDirectory === undefined ? {} : { siteDirectory: options.siteDirectory }),
  })
  const read = async (headers?: InjectOptions['headers']) =>
    (await app.inject({ url: '/metrics', ...(headers === undefined ? {} : { headers }) })).body
  return {
    world,
    db: world.db,
    services,
    control,
    observability,
    app,
    read,
    metric: async line => {
      const found = (await read()).split('\n').find(text => text.startsWith(`${line} `))
      return Number(found?.slice(line.length + 1) ?? 0)
    },
    close: async () => {
      await app.close()
      await world.close()
    },
  }
}
