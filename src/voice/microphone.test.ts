import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeMicrophone, openMicrophone } from './microphone.ts'

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('RTCPeerConnection', class {})
})
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

test('does not ask for the microphone where no call can be made', async () => {
  const getUserMedia = vi.fn<() => Promise<MediaStream>>()
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.stubGlobal('RTCPeerConnection', undefined)
  expect(await openMicrophone()).toMatchObject({ ok: false, code: 'browser_unsupported' })
  expect(getUserMedia).not.toHaveBeenCalled()
})

test('asks for audio alone; closing it stops every track', async () => {
  const stops = [vi.fn<() => void>(), vi.fn<() => void>()]
  const stream = { getTracks: () => stops.map(stop => ({ stop })) } as unknown as MediaStream
  const getUserMedia = vi.fn<(constraints: object) => Promise<MediaStream>>(async () => stream)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  expect(await openMicrophone()).toMatchObject({ ok: true, value: stream })
  expect(getUserMedia).toHaveBeenCalledWith({ audio: true })
  closeMicrophone(stream)
  for (const stop of stops) expect(stop).toHaveBeenCalledOnce()
})
