/** What a browser keeps of the last receiver report that it got (W3C Webrtc-stats, section 8.7). */
interface ReceiverReport {
  readonly type?: unknown
  readonly kind?: unknown
  /** When it came, in milliseconds. */
  readonly timestamp?: unknown
  /** Of the packets that the other end expected since its report before: 0 to 1. */
  readonly fractionLost?: unknown
}

/**
 * Looks, one a second, for which a report counts. They come 5 s apart, give or take half of it (RFC 3550, section 6.3), or more
 * often; one that is older tells of a line that may have changed, and the browser keeps it for ever.
 */
const looksPerReport = 10

/**
 * Reads how much of what is sent gets lost, in percent, out of a connection's statistics, asked once a second. Null while the
 * other end has reported nothing, or nothing lately.
 */
export function createSentLoss(): (statistics: RTCStatsReport) => number | null {
  let lastAt: unknown
  let looks = 0
  return statistics => {
    let last: ReceiverReport | undefined
    statistics.forEach((part: ReceiverReport) => {
      if (part.type === 'remote-inbound-rtp' && part.kind === 'audio') last = part
    })
    if (typeof last?.fractionLost !== 'number') return null
    looks = last.timestamp === lastAt ? looks + 1 : 1
    lastAt = last.timestamp
    return looks > looksPerReport ? null : 100 * last.fractionLost
  }
}
