import { atom, type ReadableAtom } from 'nanostores'
import { type RealTimeText, textPauseMs } from '#lib/calls/real-time-text.ts'
import { eraseLast, openLine, type TypedText } from '#voice/t140.ts'
import {
  charactersLeft,
  markSent,
  newCharacters,
  nextSending,
  noText,
  receiveText,
  sendAgain,
  type TextDelivery,
  typeText,
} from '#voice/text-delivery.ts'

/** After this pause what the other side typed is a phrase, which a screen reader may read out. */
export const phrasePauseMs = 2_000
/** A live region is read out only if it was there, empty, before. */
const paneReadMs = 500
/** How long to wait for an acknowledgement: longer than a slow line takes for both ways. */
export const ackWaitMs = 3_000

export interface TextTalkPorts {
  readonly send: (message: RealTimeText) => void
  /** @returns cancels it */
  readonly wait: (ms: number, callback: () => void) => () => void
}

/** `none`: no answered call; `lost`: the connection to the server is, and what is typed waits. */
export type TextConnection = 'none' | 'open' | 'lost'

export interface TextView {
  /** Whether the other end of the answered call shows text. */
  readonly offered: boolean
  readonly open: boolean
  readonly typed: TypedText
  /** They typed something while the pane was closed. */
  readonly unread: boolean
  readonly full: boolean
  /** What they typed last, as a whole phrase; `count` tells two equal ones apart. */
  readonly phrase: { readonly count: number; readonly text: string }
}

export interface TextTalk {
  readonly $text: ReadableAtom<TextView>
  /** A message of the other page, in the order in which they come. */
  receive(message: RealTimeText): void
  setLine(line: TextConnection): void
  /** @param value what the field of the open line holds now */
  type(value: string): void
  setOpen(open: boolean): void
  /** Forgets the text of an ended call: nothing of it is kept anywhere else. Does nothing in a call. */
  clear(): void
}

const nothing: TextView = {
  offered: false,
  open: false,
  typed: [],
  unread: false,
  full: false,
  phrase: { count: 0, text: '' },
}

/** Real-time text of a page's calls, one after the other: the only writer of what it shows. */
export function createTextTalk({ send, wait }: TextTalkPorts): TextTalk {
  const $text = atom<TextView>(nothing)
  let delivery: TextDelivery = noText
  let line: TextConnection = 'none'
  let pausing = false
  let stopWaiting: (() => void) | null = null
  /** What they typed since the last phrase. */
  let unspoken = ''
  let stopPhrase: (() => void) | null = null

  function change(next: TextDelivery, view: Partial<TextView> = {}): void {
    delivery = next
    $text.set({ ...$text.get(), ...view, typed: next.typed, full: charactersLeft(next) === 0 })
  }

  function flush(): void {
    if (line !== 'open' || pausing) return
    const message = nextSending(delivery)
    if (message === undefined) return
    delivery = markSent(delivery)
    send(message)
    pausing = true
    wait(textPauseMs, () => {
      pausing = false
      flush()
    })
    stopWaiting ??= wait(ackWaitMs, repeat)
  }

  function repeat(): void {
    stopWaiting?.()
    stopWaiting = null
    delivery = sendAgain(delivery)
    flush()
  }

  function awaitAcks(): void {
    stopWaiting?.()
    stopWaiting = delivery.sent > 0 ? wait(ackWaitMs, repeat) : null
  }

  function speak(): void {
    stopPhrase?.()
    stopPhrase = null
    // What comes before the pane is open is read out once it is.
    if (!$text.get().open) return
    const text = unspoken.trim()
    unspoken = ''
    if (text === '') return
    $text.set({ ...$text.get(), phrase: { count: $text.get().phrase.count + 1, text } })
  }

  function listen(characters: readonly string[], linesBefore: number): void {
    for (const character of characters) {
      if (character === eraseLast) unspoken = [...unspoken].slice(0, -1).join('')
      else unspoken += character
    }
    stopPhrase?.()
    if (endedLines(delivery.typed) > linesBefore) speak()
    else stopPhrase = wait(phrasePauseMs, speak)
  }

  function stop(): void {
    stopWaiting?.()
    stopPhrase?.()
    stopWaiting = null
    stopPhrase = null
  }

  return {
    $text,
    receive(message) {
      if (line === 'none') return
      if (!('typed' in message)) {
        const { confirmed } = delivery
        change(receiveText(delivery, message), { offered: true })
        if (delivery.confirmed > confirmed) awaitAcks()
        return
      }
      const characters = newCharacters(delivery, message)
      const before = endedLines(delivery.typed)
      const { open, unread } = $text.get()
      change(receiveText(delivery, message), {
        offered: true,
        unread: !open && (unread || characters.length > 0),
      })
      send({ received: delivery.received })
      if (characters.length > 0) listen(characters, before)
    },
    setLine(next) {
      const before = line
      line = next
      if (next === before) return
      if (next === 'none') {
        stop()
        const { typed } = delivery
        // Nothing was typed: nothing is left to show.
        $text.set(typed.length === 0 ? nothing : { ...$text.get(), offered: false, unread: false })
      } else if (before === 'none') {
        unspoken = ''
        delivery = noText
        $text.set(nothing)
      } else if (next === 'open') repeat()
    },
    type(value) {
      if (line === 'none' || value === openLine(delivery.typed, 'own')) return
      change(typeText(delivery, value))
      flush()
    },
    setOpen(open) {
      $text.set({ ...$text.get(), open, unread: false })
      if (open && unspoken !== '') stopPhrase ??= wait(paneReadMs, speak)
    },
    clear() {
      if (line !== 'none') return
      stop()
      unspoken = ''
      delivery = noText
      $text.set(nothing)
    },
  }
}

function endedLines(typed: TypedText): number {
  return typed.filter(({ side, ended }) => side === 'theirs' && ended).length
}

/** The conversation as text, a line for each, to be copied. */
export function transcript(
  typed: TypedText,
  names: { readonly own: string; readonly theirs: string },
): string {
  return typed.flatMap(({ side, text }) => (text === '' ? [] : [`${names[side]}: ${text}`])).join('\n')
}
