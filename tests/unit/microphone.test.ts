import { afterEach, expect, test, vi } from 'vitest'
import { closeMicrophone, openMicrophone } from '#voice/microphone.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser whose microphone fails by this name. */
function failing(name: string): void {
  const getUserMedia = () => Promise.reject(new DOMException('', name))
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
}

test.each([
  ['NotAllowedError', 'microphone_denied'],
  ['SecurityError', 'microphone_denied'],
  ['PermissionDeniedError', 'microphone_denied'],
  ['NotFoundError', 'microphone_missing'],
  ['NotReadableError', 'microphone_busy'],
  ['TrackStartError', 'microphone_busy'],
  ['AbortError', 'microphone_busy'],
])('%s is %s', async (name, code) => {
  failing(name)
  expect(await openMicrophone()).toMatchObject({ ok: false, code })
})

test('a page that may have no microphones at all is told as one that is denied', async () => {
  vi.stubGlobal('navigator', {})
  expect(await openMicrophone()).toMatchObject({ ok: false, code: 'microphone_denied' })
})

test('sound alone is asked for; closed, every track stops', async () => {
  const stops = [vi.fn<() => void>(), vi.fn<() => void>()]
  const stream = { getTracks: () => stops.map(stop => ({ stop })) } as unknown as MediaStream
  const getUserMedia = vi.fn<(constraints: object) => Promise<MediaStream>>(async () => stream)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  expect(await openMicrophone()).toMatchObject({ ok: true, value: stream })
  expect(getUserMedia).toHaveBeenCalledWith({ audio: true })
  closeMicrophone(stream)
  for (const stop of stops) expect(stop).toHaveBeenCalledOnce()
})
