import { maxCharactersAtOnce, maxCharactersTyped, type RealTimeText } from '#lib/calls/real-time-text.ts'
import { applyText, charactersOf, openLine, type TypedText } from './t140.ts'

/** Real-time text of one call, and how far it has got: nothing is lost or doubled when a message is. */
export interface TextTransfer {
  readonly typed: TypedText
  /** Own characters not acknowledged yet; the first has the index `confirmed`. */
  readonly unconfirmed: readonly string[]
  readonly confirmed: number
  /** How many of `unconfirmed` are on their way. */
  readonly sent: number
  /** How many characters of the other side have come. */
  readonly received: number
}

export const noText: TextTransfer = { typed: [], unconfirmed: [], confirmed: 0, sent: 0, received: 0 }

/** How many more characters this side can type; a correction takes some of its own. */
export function charactersLeft({ confirmed, unconfirmed }: TextTransfer): number {
  return maxCharactersTyped - confirmed - unconfirmed.length
}

/** @param value what the field of the open line holds now */
export function typeText(transfer: TextTransfer, value: string): TextTransfer {
  const all = charactersOf(openLine(transfer.typed, 'own'), value)
  const characters = all.slice(0, charactersLeft(transfer))
  return {
    ...transfer,
    typed: applyText(transfer.typed, 'own', characters),
    unconfirmed: [...transfer.unconfirmed, ...characters],
  }
}

/** @returns the characters that are new, in order; none if they came before or others are missing before them */
export function newCharacters({ received }: TextTransfer, message: RealTimeText): readonly string[] {
  if (!('typed' in message) || message.from > received) return []
  return [...message.typed].slice(received - message.from)
}

export function receiveText(transfer: TextTransfer, message: RealTimeText): TextTransfer {
  if ('typed' in message) {
    const characters = newCharacters(transfer, message)
    return {
      ...transfer,
      typed: applyText(transfer.typed, 'theirs', characters),
      received: transfer.received + characters.length,
    }
  }
  const count = message.received - transfer.confirmed
  // Late, or of characters that were never sent.
  if (count <= 0 || count > transfer.unconfirmed.length) return transfer
  return {
    ...transfer,
    unconfirmed: transfer.unconfirmed.slice(count),
    confirmed: message.received,
    sent: Math.max(0, transfer.sent - count),
  }
}

/** The next characters to send; undefined if all are on their way. */
export function nextSending({ unconfirmed, confirmed, sent }: TextTransfer): RealTimeText | undefined {
  const characters = unconfirmed.slice(sent, sent + maxCharactersAtOnce)
  return characters.length === 0 ? undefined : { typed: characters.join(''), from: confirmed + sent }
}

export function markSent(transfer: TextTransfer): TextTransfer {
  const sent = Math.min(transfer.unconfirmed.length, transfer.sent + maxCharactersAtOnce)
  return { ...transfer, sent }
}

/** What is on its way may be lost: everything that is not acknowledged is sent again. */
export function sendAgain(transfer: TextTransfer): TextTransfer {
  return { ...transfer, sent: 0 }
}
