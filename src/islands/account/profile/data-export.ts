import { atom, type ReadableAtom } from 'nanostores'
import * as z from 'zod/mini'
import { errorBody } from '#lib/api/errors.ts'
import { exportPath } from '#lib/api/profile.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { followSession } from '#session/follow-session.ts'
import { currentToken, endSession, refreshAfter, start } from '#session/session.ts'
import { texts as session } from '#session/texts.ts'
import { texts } from './texts.ts'

export type DataExport =
  | { readonly state: 'idle' }
  /** Bytes received, of `total`; null if the server does not say. */
  | { readonly state: 'fetching'; readonly bytes: number; readonly total: number | null }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'done' }

const $shown = atom<DataExport>({ state: 'idle' })
export const $dataExport: ReadableAtom<DataExport> = $shown

/** Between two chunks; a large account takes a while before the first. */
const exportTimeoutMs = 60_000

let running: AbortController | null = null

/** @param today in the reader's time zone */
function exportName(today: Date): string {
  const parts = [today.getMonth() + 1, today.getDate()].map(part => String(part).padStart(2, '0'))
  return `farline-data-${today.getFullYear()}-${parts.join('-')}.zip`
}

/** Does nothing during a download. @param save called only with a complete file */
export async function fetchData(save: (file: Blob, name: string) => void, today: Date): Promise<void> {
  if (running !== null) return
  const ours = new AbortController()
  running = ours
  $shown.set({ state: 'fetching', bytes: 0, total: null })
  const outcome = await fetchZip(ours)
  if (running !== ours) return
  running = null
  if (outcome instanceof Blob) {
    save(outcome, exportName(today))
    $shown.set({ state: 'done' })
  } else $shown.set({ state: 'failed', message: outcome })
}

export function stopFetchingData(): void {
  running?.abort()
  running = null
  $shown.set({ state: 'idle' })
}

/** @returns the file, or a message that says why there is none */
async function fetchZip(ours: AbortController): Promise<Blob | string> {
  const response = await patiently(ours, askForZip(ours.signal))
  if (typeof response === 'string') return response
  if (!response.ok) return rejectionOf(response)
  try {
    return await collect(response, ours)
  } catch {
    return texts.brokenOff
  }
}

function patiently<Value>(ours: AbortController, coming: Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => ours.abort(), exportTimeoutMs)
  return coming.finally(() => clearTimeout(timer))
}

/** A 401 renews the session once (SPEC-4.5), as `authorised` does for JSON. */
async function askForZip(signal: AbortSignal): Promise<Response | string> {
  await start()
  try {
    const token = currentToken()
    const first = await get(token, signal)
    if (first.status !== 401) return first
    const outcome = await refreshAfter(token)
    if (outcome === 'refreshed') return await get(currentToken(), signal)
    if (outcome === 'unreachable') return session.offline
    endSession()
    return first
  } catch {
    return session.offline
  }
}

function get(token: string | null, signal: AbortSignal): Promise<Response> {
  return fetch(exportPath, {
    headers: {
      'accept-language': currentLanguage(),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  })
}

async function rejectionOf(response: Response): Promise<string> {
  const parsed = z.safeParse(errorBody, await response.json().catch(() => null))
  return parsed.success ? parsed.data.error.message : session.unexpected_reply
}

/** Reads the answer and reports progress. @throws if the connection breaks */
async function collect(response: Response, ours: AbortController): Promise<Blob> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const total = Number.isSafeInteger(length) && length > 0 ? length : null
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  if (reader === undefined) throw new Error('an answer without a body')
  for (;;) {
    const { done, value } = await patiently(ours, reader.read())
    if (done) break
    pieces.push(value)
    bytes += value.length
    if (running === ours) $shown.set({ state: 'fetching', bytes, total })
  }
  return new Blob(pieces, { type: 'application/zip' })
}

followSession(stopFetchingData)
