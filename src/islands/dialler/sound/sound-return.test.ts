import { atom } from 'nanostores'
import { beforeEach, expect, test, vi } from 'vitest'

const device = (kind: MediaDeviceKind, deviceId: string, label: string) => ({ kind, deviceId, label })
const builtIn = device('audioinput', 'a', 'Built-in')
const all = [builtIn, device('audioinput', 'b', 'Headset'), device('audiooutput', 's', 'Headset')]
let connected = all
const media = Object.assign(new EventTarget(), { enumerateDevices: async () => connected })
const kept = new Map<string, string>()
vi.stubGlobal('navigator', { mediaDevices: media })
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
})
const $call = atom<{ kind: string }>({ kind: 'idle' })
const changeSound = vi.fn<(kind: string, id: string | undefined) => Promise<boolean>>(async () => true)
vi.mock('../call/call.ts', () => ({
  get $call() {
    return $call
  },
  callLine: { changeSound: (kind: string, id?: string) => changeSound(kind, id) },
}))
vi.mock('#voice/call.ts', () => ({ isLive: ({ kind }: { kind: string }) => kind === 'live' }))

const { followReturningSound } = await import('./sound-return.ts')
followReturningSound()

async function plug(devices: typeof all): Promise<void> {
  connected = devices
  media.dispatchEvent(new Event('devicechange'))
  await vi.advanceTimersByTimeAsync(1500)
}

beforeEach(() => {
  vi.useFakeTimers()
  connected = all
  $call.set({ kind: 'idle' })
  changeSound.mockClear()
  kept.set('microphoneDevice', 'b\nHeadset').set('speakerDevice', 's\nHeadset')
})

test('a chosen microphone and speaker that come back in a call are used again, and nothing else is', async () => {
  $call.set({ kind: 'live' })
  await vi.advanceTimersByTimeAsync(0)
  await plug([...all, device('audioinput', 'c', 'Webcam')])
  await plug([builtIn])
  expect(changeSound).not.toHaveBeenCalled()
  await plug(all)
  expect(changeSound.mock.calls).toEqual([
    ['microphone', 'b'],
    ['speaker', 's'],
  ])
})

test('one that is not connected when the call begins is used once it is; none is after the call', async () => {
  connected = [builtIn]
  $call.set({ kind: 'live' })
  await vi.advanceTimersByTimeAsync(0)
  await plug([builtIn, device('audioinput', 'b', 'Headset')])
  expect(changeSound.mock.calls).toEqual([['microphone', 'b']])
  $call.set({ kind: 'ended' })
  await plug(all)
  expect(changeSound).toHaveBeenCalledOnce()
})
