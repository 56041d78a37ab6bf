import type { ReadableAtom } from 'nanostores'
import type { RealTimeText } from '#lib/calls/real-time-text.ts'
import type { TextConnection, TextTalk } from './text-talk.ts'

/** Connects real-time text to a telephone of the page. Once. */
export function followText(
  talk: TextTalk,
  $line: ReadableAtom<TextConnection>,
  $message: ReadableAtom<RealTimeText | null>,
): void {
  $message.listen(message => {
    if (message !== null) talk.receive(message)
  })
  $line.subscribe((line, before) => {
    talk.setLine(line)
    // The offer of text can come before the page knows of the answer.
    const message = $message.get()
    if (line === 'open' && before !== 'lost' && message !== null) talk.receive(message)
  })
}

/** Waits by the page's timers. */
export function pageWait(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
