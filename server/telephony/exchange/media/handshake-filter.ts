/** Octets of the DTLS 1.2 record and handshake headers (RFC 6347, sections 4.1 and 4.2.2). */
const recordHeader = 13
const fragmentHeader = 12
const handshakeType = 22

/** A handshake has at most about ten messages each way; the largest is a certificate of 1 to 2 KB. */
const maxMessages = 32
const maxMessageOctets = 16 * 1024

/**
 * Passes each octet of a DTLS handshake once, in order, as RFC 6347 (section 4.2.2) asks of a receiver. werift 0.25.2 takes
 * a retransmitted message for a new one and derives the keys again, which breaks audio in both directions; and it buffers
 * fragments without a limit.
 */
export class HandshakeFilter {
  /** Octets received of each message, by message_seq. */
  readonly #received = new Map<number, number>()

  /** The datagram without repeated octets; undefined when nothing is left. */
  admit(datagram: Buffer): Buffer | undefined {
    const admitted: Buffer[] = []
    for (let at = 0; at + recordHeader <= datagram.length; ) {
      const end = at + recordHeader + datagram.readUInt16BE(at + 11)
      if (end > datagram.length) break
      const record = this.#admitRecord(datagram.subarray(at, end))
      if (record !== undefined) admitted.push(record)
      at = end
    }
    return admitted.length === 0 ? undefined : Buffer.concat(admitted)
  }

  #admitRecord(record: Buffer): Buffer | undefined {
    const isPlaintext = record.readUInt16BE(3) === 0
    // A Finished is encrypted. Each one is answered by our last flight, which the other end may have missed.
    if (record[0] !== handshakeType || !isPlaintext) return record
    const fragments = this.#newFragments(record.subarray(recordHeader))
    if (fragments.length === 0) return undefined
    const body = Buffer.concat(fragments)
    const header = Buffer.from(record.subarray(0, recordHeader))
    header.writeUInt16BE(body.length, 11)
    return Buffer.concat([header, body])
  }

  #newFragments(body: Buffer): readonly Buffer[] {
    const fragments: Buffer[] = []
    for (let at = 0; at + fragmentHeader <= body.length; ) {
      const end = at + fragmentHeader + body.readUIntBE(at + 9, 3)
      if (end > body.length) break
      const fragment = body.subarray(at, end)
      if (this.#isNext(fragment)) fragments.push(fragment)
      at = end
    }
    return fragments
  }

  #isNext(fragment: Buffer): boolean {
    const messageOctets = fragment.readUIntBE(1, 3)
    const sequence = fragment.readUInt16BE(4)
    const offset = fragment.readUIntBE(6, 3)
    const received = this.#received.get(sequence)
    const end = offset + fragment.length - fragmentHeader
    if (messageOctets > maxMessageOctets || end > messageOctets || offset !== (received ?? 0)) return false
    if (received === messageOctets) return false
    if (received === undefined && this.#received.size >= maxMessages) return false
    this.#received.set(sequence, end)
    return true
  }
}
