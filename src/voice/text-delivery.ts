import { maxCharactersAtOnce, maxCharactersTyped, type RealTimeText } from '#lib/calls/real-time-text.ts'
import { applyText, charactersOf, openLine, type TypedText } from './t140.ts'

/** Real-time text of one call, and how far it has got: nothing is lost or doubled when a message is. */
export interface TextDelivery {
  readonly typed: TypedText
  /** Own characters not acknowledged yet; the first has the index `confirmed`. */
  readonly unconfirmed: readonly string[]
  readonly confirmed: number
  /** How many of `unconfirmed` are on their way. */
  readonly sent: number
  /** How many characters of the other side have come. */
  readonly received: number
}

export const noText: TextDelivery = { typed: [], unconfirmed: [], confirmed: 0, sent: 0, received: 0 }

/** How many more characters this side can type; a correction takes some of its own. */
export function charactersLeft({ confirmed, unconfirmed }: TextDelivery): number {
  return maxCharactersTyped - confirmed - unconfirmed.length
}

/** @param value what the field of the open line holds now */
export function typeText(delivery: TextDelivery, value: string): TextDelivery {
  const all = charactersOf(openLine(delivery.typed, 'own'), value)
  const characters = all.slice(0, charactersLeft(delivery))
  return {
    ...delivery,
    typed: applyText(delivery.typed, 'own', characters),
    unconfirmed: [...delivery.unconfirmed, ...characters],
  }
}

/** @returns the characters that are new, in order; none if they came before or others are missing before them */
export function newCharacters({ received }: TextDelivery, message: RealTimeText): readonly string[] {
  if (!('typed' in message) || message.from > received) return []
  return [...message.typed].slice(received - message.from)
}

export function receiveText(delivery: TextDelivery, message: RealTimeText): TextDelivery {
  if ('typed' in message) {
    const characters = newCharacters(delivery, message)
    return {
      ...delivery,
      typed: applyText(delivery.typed, 'theirs', characters),
      received: delivery.received + characters.length,
    }
  }
  const count = message.received - delivery.confirmed
  // Late, or of characters that were never sent.
  if (count <= 0 || count > delivery.unconfirmed.length) return delivery
  return {
    ...delivery,
    unconfirmed: delivery.unconfirmed.slice(count),
    confirmed: message.received,
    sent: Math.max(0, delivery.sent - count),
  }
}

/** The next characters to send; undefined if all are on their way. */
export function nextSending({ unconfirmed, confirmed, sent }: TextDelivery): RealTimeText | undefined {
  const characters = unconfirmed.slice(sent, sent + maxCharactersAtOnce)
  return characters.length === 0 ? undefined : { typed: characters.join(''), from: confirmed + sent }
}

export function markSent(delivery: TextDelivery): TextDelivery {
  const sent = Math.min(delivery.unconfirmed.length, delivery.sent + maxCharactersAtOnce)
  return { ...delivery, sent }
}

/** What is on its way may be lost: everything that is not acknowledged is sent again. */
export function sendAgain(delivery: TextDelivery): TextDelivery {
  return { ...delivery, sent: 0 }
}
