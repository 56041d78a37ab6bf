/** The last receiver report kept by the browser (W3C Webrtc-stats, section 8.7). */
interface ReceiverReport {
  readonly type?: unknown
  readonly kind?: unknown
  /** Time of arrival in milliseconds. */
  readonly timestamp?: unknown
  /** Fraction lost of the packets expected since the previous report, 0 to 1. */
  readonly fractionLost?: unknown
}

/** Seconds for which a report counts; browsers keep it. They come every 5 s ± 50 % or more often (RFC 3550, 6.3). */
const looksPerReport = 10

/** Reads the outgoing loss in percent from a connection's statistics, once a second. Null without a recent report. */
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
