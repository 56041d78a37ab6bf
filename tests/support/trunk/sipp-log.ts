/** An attempt to place a call at a carrier, as the carrier's own log shows it. Times in milliseconds since 1970. */
export interface AttemptAtCarrier {
  /** Our id of the call. */
  readonly callId: string
  readonly invitedAtMs: number
  /** When the telephone began to ring. */
  readonly rangAtMs: number | undefined
  /** When the telephone was picked up. */
  readonly answeredAtMs: number | undefined
  /** Whether we confirmed the answer. Otherwise the carrier gives the call up by itself. */
  readonly isConfirmed: boolean
  /** The BYE of either side. */
  readonly endedAtMs: number | undefined
}

interface Message {
  readonly atMs: number
  readonly isSent: boolean
  readonly text: string
}

/** The attempts in the message log of a SIPp. */
export function attemptsIn(log: string): readonly AttemptAtCarrier[] {
  const bySipCall = Map.groupBy(messagesOf(log), ({ text }) => /^Call-ID:\s*(\S+)/im.exec(text)?.[1] ?? '')
  return [...bySipCall].flatMap(([sipCallId, messages]) => {
    const at = (isSent: boolean, pattern: RegExp) =>
      messages.find(message => message.isSent === isSent && pattern.test(message.text))?.atMs
    const invitedAtMs = at(false, /^INVITE /)
    if (invitedAtMs === undefined) return []
    return [
      {
        callId: sipCallId.split('.')[0] ?? '',
        invitedAtMs,
        rangAtMs: at(true, /^SIP\/2\.0 18\d /),
        answeredAtMs: at(true, /^SIP\/2\.0 200 [\s\S]*^CSeq: \d+ INVITE/m),
        isConfirmed: at(false, /^ACK /) !== undefined,
        endedAtMs: at(false, /^BYE /) ?? at(true, /^BYE /),
      },
    ]
  })
}

const heading = /^-{20,} (\d{4}-\d\d-\d\d)[ T\t](\d\d:\d\d:\d\d\.\d{3})\d*$/gm

function messagesOf(log: string): readonly Message[] {
  const [, ...parts] = log.split(heading)
  return Array.from({ length: parts.length / 3 }, (_, nth) => {
    const [date, time, body = ''] = parts.slice(3 * nth, 3 * nth + 3)
    const [, direction, text = ''] = /^\s*\w+ message (sent|received)[^\n]*\n\s*([\s\S]*)$/.exec(body) ?? []
    // SIPp writes local time.
    return { atMs: new Date(`${date}T${time}`).getTime(), isSent: direction === 'sent', text }
  })
}
