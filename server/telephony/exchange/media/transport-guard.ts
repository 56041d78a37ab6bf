import { Socket as UdpSocket } from 'node:dgram'
import { Server } from 'node:net'
import type { CandidatePair, RTCIceTransport, RTCPeerConnection } from 'werift'
import { HandshakeFilter } from './handshake-filter.ts'
import { boundTcp } from './tcp-bounds.ts'

type IceConnection = RTCIceTransport['connection']

const guarded = new WeakSet<IceConnection>()

/**
 * Keeps socket errors of one call from ending the process: werift 0.25.2 does not handle failed writes of repeated DTLS
 * flights and errors of UDP sockets. For a connection that has gathered its candidates; called again, it guards the sockets
 * added since.
 */
export function guardTransports({ dtlsTransports }: RTCPeerConnection): void {
  for (const transport of dtlsTransports) {
    const { connection } = transport.iceTransport
    for (const socket of findSockets(connection)) {
      if (socket instanceof Server) boundTcp(socket)
      else if (socket.listenerCount('error') === 0) socket.on('error', ignore)
    }
    if (guarded.has(connection)) continue
    guarded.add(connection)
    loseFailedWrites(connection)
    sendFlightsWhole(connection)
    followNomination(connection)
    // Packets that come before DTLS listens are lost, and must pass when they are sent again.
    transport.onStateChange.subscribe(state => {
      if (state === 'connecting') filterHandshakes(connection)
    })
  }
}

/** A packet that could not be written counts as lost, which DTLS and the codecs expect. */
function loseFailedWrites(connection: IceConnection): void {
  const send = connection.send
  connection.send = data => send(data).catch(ignore)
}

/**
 * Sends what DTLS writes at once as one datagram. werift 0.25.2 sends each message of a flight by itself, and repeats a flight
 * under the record numbers of the first time. A receiver that gets them out of order, as rtpengine often does, drops what comes
 * too early, and then each repetition as a replay (RFC 6347, section 4.1.2.6): the handshake never ends.
 */
function sendFlightsWhole(connection: IceConnection): void {
  const send = connection.send
  let flight: Buffer[] = []
  connection.send = async data => {
    if (!isDtls(data)) return await send(data)
    flight.push(data)
    if (flight.length > 1) return
    await Promise.resolve()
    const whole = Buffer.concat(flight)
    flight = []
    await send(whole)
  }
}

interface Checks {
  nominated?: CandidatePair
  checkComplete(pair: CandidatePair): void
}

/**
 * Sends where the browser last said that it is: a browser whose address changed nominates another pair, with no ICE restart
 * before its signalling is back. werift 0.25.2 keeps the first pair for good, and the call would stay one-way. Towards us,
 * which are ICE-lite, browsers nominate only the pair that they use. The checks are authenticated.
 */
function followNomination(connection: IceConnection): void {
  const checks = connection as unknown as Checks
  const complete = checks.checkComplete.bind(connection)
  checks.checkComplete = pair => {
    complete(pair)
    if (pair.remoteNominated) checks.nominated = pair
  }
}

function filterHandshakes({ onData }: IceConnection): void {
  const filter = new HandshakeFilter()
  const execute = onData.execute
  onData.execute = data => {
    const admitted = isDtls(data) ? filter.admit(data) : data
    if (admitted !== undefined) execute(admitted)
  }
}

/** The first octet distinguishes DTLS from RTP (RFC 7983). */
function isDtls(data: Buffer): boolean {
  const first = data[0] ?? 0
  return first >= 20 && first <= 63
}

/** werift has no public access to them; tests fail when they are not found any more. */
function findSockets(connection: IceConnection): readonly (Server | UdpSocket)[] {
  const protocols: readonly object[] = Reflect.get(connection, 'protocols')
  return protocols
    .flatMap((protocol): unknown[] => [
      Reflect.get(protocol, 'server'),
      (Reflect.get(protocol, 'transport') as { socket?: unknown } | undefined)?.socket,
    ])
    .filter(socket => socket instanceof Server || socket instanceof UdpSocket)
}

function ignore(): void {}
