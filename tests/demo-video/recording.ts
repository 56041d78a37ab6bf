import type { Page } from 'playwright/test'

/** A picture of the page, and when it was taken: ms since the recording began. */
export interface Frame {
  readonly atMs: number
  /** PNG, base64. */
  readonly png: string
}

export interface Caption {
  readonly fromMs: number
  readonly text: string
}

export interface Recording {
  readonly frames: readonly Frame[]
  readonly captions: readonly Caption[]
  readonly lengthMs: number
}

/** Records what a page shows while `act` acts on it; `say` starts the next caption. */
export async function record(
  page: Page,
  act: (say: (caption: string) => void) => Promise<void>,
): Promise<Recording> {
  const frames: Frame[] = []
  const captions: Caption[] = []
  const session = await page.context().newCDPSession(page)
  const startedAtMs = Date.now()
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const atMs = Math.max(0, (metadata.timestamp ?? 0) * 1000 - startedAtMs)
    frames.push({ atMs, png: data })
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined) // the recording is over
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  await act(text => captions.push({ fromMs: Date.now() - startedAtMs, text }))
  const lengthMs = Date.now() - startedAtMs
  await session.send('Page.stopScreencast')
  return { frames, captions, lengthMs }
}

/** Captions as WebVTT, each until the next one. */
export function webVtt({ captions, lengthMs }: Pick<Recording, 'captions' | 'lengthMs'>): string {
  const cues = captions.map(({ fromMs, text }, index) => {
    const untilMs = captions[index + 1]?.fromMs ?? lengthMs
    return `${vttTime(fromMs)} --> ${vttTime(untilMs)}\n${text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function vttTime(ms: number): string {
  return new Date(Math.round(ms)).toISOString().slice(11, 23)
}
