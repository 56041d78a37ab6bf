import { type RTCDtlsTransport, type RTCRtpSender, RtcpRrPacket, RtcpSrPacket } from 'werift'

/** RTCP counts loss in 256ths (RFC 3550, section 6.4.1). */
const wholeFraction = 256
const maxFraction = 255

/** Reports the loss of what `sender` sends: the fraction lost since the last report, 0 to 1. */
export function watchLoss(sender: RTCRtpSender, onLoss: (fractionLost: number) => void): void {
  sender.onRtcp.subscribe(packet => {
    if (!(packet instanceof RtcpRrPacket || packet instanceof RtcpSrPacket)) return
    const report = packet.reports.find(({ ssrc }) => ssrc === sender.ssrc)
    if (report !== undefined) onLoss(report.fractionLost / wholeFraction)
  })
}

/** Raises reported loss to at least this fraction, 0 to 1: Opus adjusts its redundancy by it (RFC 7587, 3.3). */
export function raiseReportedLoss(transport: RTCDtlsTransport, minFractionLost: () => number): void {
  const send = transport.sendRtcp
  transport.sendRtcp = packets => {
    const min = Math.min(maxFraction, Math.round(minFractionLost() * wholeFraction))
    for (const packet of packets) {
      if (!(packet instanceof RtcpRrPacket)) continue
      for (const report of packet.reports) report.fractionLost = Math.max(report.fractionLost, min)
    }
    return send.call(transport, packets)
  }
}
