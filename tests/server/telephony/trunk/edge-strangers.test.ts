import { randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { carriersList } from '#server/telephony/trunk/carriers-list.ts'
import { carrierOf } from '#support/trunk/carriers.ts'
import { type Edge, trunkIsMissing } from '#support/trunk/edge.ts'
import { call, openSocket, openWorld, plainOffer, type World } from '#support/trunk/world.ts'

/** A request from outside, as a scanner or a telephone would send it. */
function request(method: string, socket: Socket, target: string, further: readonly string[] = []): string {
  const { address, port } = socket.address()
  const has = (name: string) => further.some(line => line.startsWith(`${name}:`))
  return [
    `${method} sip:+442079460000@${target} SIP/2.0`,
    `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${randomUUID()}`,
    ...(has('From') ? [] : [`From: <sip:scanner@${address}>;tag=1`]),
    ...(has('To') ? [] : [`To: <sip:+442079460000@${target}>`]),
    ...(has('Call-ID') ? [] : [`Call-ID: ${randomUUID()}`]),
    ...(has('CSeq') ? [] : [`CSeq: 1 ${method}`]),
    `Contact: <sip:scanner@${address}:${port}>`,
    'Max-Forwards: 70',
    ...further,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}

function listen(socket: Socket): string[] {
  const messages: string[] = []
  socket.on('message', message => messages.push(message.toString('latin1')))
  return messages
}

function sendTo({ sip }: Edge, socket: Socket, message: string | Buffer): void {
  const [host = '', port = ''] = sip.split(':')
  socket.send(message, Number(port), host)
}

/** A message with a few octets changed, cut or repeated. */
function spoil(message: string): Buffer {
  const octets = Buffer.from(message, 'latin1')
  for (let count = 0; count < 8; count++) {
    const at = Math.floor(Math.random() * octets.length)
    octets[at] = randomBytes(1)[0] ?? 0
  }
  const cut = Math.floor(Math.random() * octets.length)
  return Math.random() < 0.3 ? octets.subarray(0, cut) : Buffer.concat([octets, octets.subarray(cut)])
}

/** What a carrier knows of an answered call, for requests within it. */
async function dialogOf({ carriers }: World, callId: string) {
  const requests = (method: string) =>
    carriers.flatMap(carrier => carrier.requests(method)).filter(message => message.includes(callId))
  await vi.waitFor(() => expect(requests('ACK')).toHaveLength(1), { timeout: 5000 })
  const [confirmation = ''] = requests('ACK')
  const [invitation = ''] = requests('INVITE')
  const header = (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'm').exec(confirmation)?.[1] ?? ''
  const [, contact = ''] = /^Contact: <(.*)>/m.exec(invitation) ?? []
  const routes = [...invitation.matchAll(/^Record-Route: (.*?)\r?$/gm)].map(([, route]) => `Route: ${route}`)
  return {
    contact,
    headers: [...routes, `From: ${header('To')}`, `To: ${header('From')}`, `Call-ID: ${header('Call-ID')}`],
  }
}

describe.skipIf(trunkIsMissing())('the edge and those who may not use it', () => {
  test('answers no stranger, whatever it sends, and works on', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const stranger = await openSocket('127.0.0.2')
    const answers = listen(stranger)
    const { sip } = world.edge
    for (const method of ['OPTIONS', 'REGISTER', 'INVITE', 'SUBSCRIBE', 'MESSAGE', 'BYE', 'ACK', 'CANCEL']) {
      const plain = request(method, stranger, sip)
      sendTo(world.edge, stranger, plain)
      for (let count = 0; count < 250; count++) sendTo(world.edge, stranger, spoil(plain))
      for (let count = 0; count < 50; count++) sendTo(world.edge, stranger, randomBytes(1 + count * 20))
      await sleep(20)
    }
    await call(world).until('answered')
    await sleep(300)
    expect(answers).toEqual([])
    expect(world.edge.isAlive()).toBe(true)
    expect(world.edge.log()).not.toMatch(/CRITICAL|core was (not )?generated/)
  })

  test('survives what a carrier spoils', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const carrier = await openSocket()
    for (const method of ['OPTIONS', 'INVITE', 'BYE', 'ACK', 'CANCEL', 'UPDATE']) {
      const plain = request(method, carrier, world.edge.sip, [
        `Route: <sip:${world.edge.sip};lr;did=1.2>`,
        'To: <sip:a@b>;tag=2',
      ])
      for (let count = 0; count < 250; count++) sendTo(world.edge, carrier, spoil(plain))
      await sleep(20)
    }
    await call(world).until('answered')
    expect(world.edge.isAlive()).toBe(true)
    expect(world.edge.log()).not.toMatch(/CRITICAL|core was (not )?generated/)
    expect(world.edge.log()).not.toContain('2079460000')
  })

  test('relays nothing for a carrier', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const [carrier, victim] = [await openSocket(), await openSocket('127.0.0.3')]
    const [answers, relayed] = [listen(carrier), listen(victim)]
    const { address, port } = victim.address()
    const { sip } = world.edge
    const routed = `Route: <sip:${sip};lr>, <sip:${address}:${port};lr>`
    const within = 'To: <sip:+442079460000@carrier.example>;tag=2'
    const attempts = [
      request('INVITE', carrier, `${address}:${port}`),
      request('INVITE', carrier, sip, [routed]),
      request('INVITE', carrier, `${address}:${port}`, [routed, within]),
      request('BYE', carrier, `${address}:${port}`, [routed, within]),
      request('MESSAGE', carrier, `${address}:${port}`, [within]),
      request('REGISTER', carrier, sip),
    ]
    for (const attempt of attempts) sendTo(world.edge, carrier, attempt)
    sendTo(world.edge, carrier, request('ACK', carrier, `${address}:${port}`, [routed, within]))
    await vi.waitFor(() => expect(answers).toHaveLength(attempts.length), { timeout: 5000 })
    expect(answers.map(answer => answer.slice(8, 11))).toEqual(attempts.map(() => '481'))
    await sleep(200)
    expect(relayed).toEqual([])
    expect(world.carriers[0]?.invitations()).toEqual([])
  })

  test('passes on what belongs to a call, to our server alone', async () => {
    const world = await openWorld([{ kind: 'answers' }])
    const [carrier, victim] = [await openSocket(), await openSocket('127.0.0.3')]
    const [answers, relayed] = [listen(carrier), listen(victim)]
    const { callId, until, record, kinds } = call(world)
    await until('answered')
    const { headers } = await dialogOf(world, callId)
    const { address, port } = victim.address()
    let sequence = 10
    const send = (method: string, further: readonly string[] = []) => {
      if (method !== 'ACK' && method !== 'CANCEL') sequence += 1
      const counted = `CSeq: ${sequence} ${method}`
      sendTo(
        world.edge,
        carrier,
        request(method, carrier, `${address}:${port}`, [...headers, counted, ...further]),
      )
    }
    const statuses = () =>
      answers.map(answer => /^SIP\/2\.0 (\d+)[\s\S]*?^CSeq: \d+ (\w+)/m.exec(answer)?.slice(1).join(' '))
    const until200 = (method: string) =>
      vi.waitFor(() => expect(statuses()).toContain(`200 ${method}`), { timeout: 5000 })

    const others = ['MESSAGE', 'REFER', 'INFO', 'NOTIFY', 'SUBSCRIBE', 'PUBLISH', 'PRACK', 'REGISTER']
    for (const method of others) send(method)
    await vi.waitFor(
      () => expect(new Set(statuses())).toEqual(new Set(others.map(method => `405 ${method}`))),
      { timeout: 5000 },
    )
    send('OPTIONS')
    await until200('OPTIONS')
    send('INVITE', [`Route: <sip:${address}:${port};lr>`])
    const reoffer = await until('reoffered')
    if (reoffer?.kind === 'reoffered') reoffer.reply(plainOffer)
    await until200('INVITE')
    send('ACK', [`Route: <sip:${address}:${port};lr>`])
    send('CANCEL')
    send('BYE', [`Route: <sip:${address}:${port}>`])
    await until200('BYE')
    await until('ended')
    expect(kinds().filter(kind => kind === 'reoffered')).toHaveLength(1)
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'callee' }), {
      timeout: 5000,
    })
    await sleep(300)
    expect(relayed).toEqual([])
  })

  test('hears a carrier from its further addresses, and sends nothing there', async () => {
    const elsewhere = await openSocket('127.0.0.4')
    const answers = listen(elsewhere)
    const sources = carriersList([
      carrierOf({ name: 'one', set: 1, sources: ['127.0.0.4'] }),
      carrierOf({ name: 'two', set: 2, sources: ['127.0.0.5'] }),
    ])
    const world = await openWorld([{ kind: 'answers' }], '', { carriers: sources.trim().split('\n') })
    for (let count = 0; count < 3; count++) await call(world).until('answered')
    expect(await call(world, { carrier: 2 }).until('rejected')).toMatchObject({ edge: 'unreachable' })
    // D: not selected. X rather than P: not asked whether it is there.
    expect(await flagsAt(world.edge, '127.0.0.4')).toBe('DX')

    const { until, record, callId } = call(world)
    await until('answered')
    const { contact, headers } = await dialogOf(world, callId)
    const bye = request('BYE', elsewhere, world.edge.sip, headers).replace(/^BYE \S+/, `BYE ${contact}`)
    sendTo(world.edge, elsewhere, bye)
    await vi.waitFor(async () => expect(await record()).toMatchObject({ endedBy: 'callee' }), {
      timeout: 5000,
    })
    await vi.waitFor(() => expect(answers.map(answer => answer.slice(8, 11))).toEqual(['200']), {
      timeout: 5000,
    })
  })
})

/** Of an address in the edge's list, by its own account. */
async function flagsAt({ control }: Edge, host: string): Promise<string | undefined> {
  const response = await fetch(`${control}/rpc`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dispatcher.list' }),
  })
  const list = await response.text()
  return new RegExp(`"URI":\\s*"sip:${host}[^"]*",\\s*"FLAGS":\\s*"(\\w+)"`).exec(list)?.[1]
}
