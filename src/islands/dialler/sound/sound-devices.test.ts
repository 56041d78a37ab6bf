import { beforeEach, expect, test, vi } from 'vitest'

const device = (kind: MediaDeviceKind, deviceId: string, label: string) => ({ kind, deviceId, label })
let connected: ReturnType<typeof device>[] = []
const kept = new Map<string, string>()

vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices: async () => connected } })
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
})
const changeSound = vi.fn<(kind: string, id: string | undefined) => Promise<boolean>>(async () => true)
vi.mock('../call/call.ts', () => ({
  callLine: { changeSound: (kind: string, id?: string) => changeSound(kind, id) },
}))

const { $soundDevices, chooseSound, lookAtSoundDevices } = await import('./sound-devices.ts')
const { chosenSound } = await import('./chosen-sound.ts')

const headset = { id: 'b', label: 'Headset (USB)' }
beforeEach(async () => {
  kept.clear()
  connected = [
    device('audioinput', 'default', 'Default - Built-in'),
    device('audioinput', 'communications', 'Communications - Built-in'),
    device('audioinput', 'a', 'Built-in'),
    device('audioinput', headset.id, headset.label),
    device('audiooutput', 's', 'Loudspeaker'),
  ]
  await lookAtSoundDevices()
})

test('lists the default device once, and before the microphone was allowed no device has a name', async () => {
  expect($soundDevices.get().microphone).toEqual({
    devices: [{ id: 'a', label: 'Built-in' }, headset],
    used: null,
    missing: null,
  })
  connected = [device('audioinput', '', '')]
  await lookAtSoundDevices()
  expect($soundDevices.get().microphone.devices).toEqual([])
})

test('keeps a choice, applies it to the call at once, and can return to the default device', async () => {
  await chooseSound('microphone', headset)
  expect(changeSound).toHaveBeenLastCalledWith('microphone', headset.id)
  expect([chosenSound('microphone'), chosenSound('speaker')]).toEqual([headset, null])
  await chooseSound('microphone', null)
  expect(changeSound).toHaveBeenLastCalledWith('microphone', undefined)
  expect(chosenSound('microphone')).toBeNull()
})

test('two quick choices reach the call one after the other, so that it keeps the second', async () => {
  const opened = Promise.withResolvers<boolean>()
  changeSound.mockClear().mockReturnValueOnce(opened.promise)
  const choices = [chooseSound('microphone', headset), chooseSound('microphone', null)]
  await new Promise(resolve => setTimeout(resolve))
  expect(changeSound.mock.calls).toEqual([['microphone', headset.id]])
  opened.resolve(true)
  await Promise.all(choices)
  expect(changeSound).toHaveBeenLastCalledWith('microphone', undefined)
})

test('one that is unplugged is named as missing and used again when it is back, whatever its new id', async () => {
  await chooseSound('microphone', headset)
  const all = connected
  connected = all.filter(({ deviceId }) => deviceId !== headset.id)
  await lookAtSoundDevices()
  expect($soundDevices.get().microphone).toMatchObject({ used: null, missing: headset })
  connected = [...connected, device('audioinput', 'c', headset.label)]
  await lookAtSoundDevices()
  const renamed = { ...headset, id: 'c' }
  expect($soundDevices.get().microphone).toMatchObject({ used: renamed, missing: null })
  expect(chosenSound('microphone')).toEqual(renamed)
})
