import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type CaptionLanguage,
  captionLanguages,
  createCaptions,
  errorsTogetherMs,
  minRunMs,
  restartMs,
} from './captions.ts'
import type { LanguagePack, OnDeviceSpeech, SpeechListener } from './on-device-speech.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const track = { kind: 'audio' } as MediaStreamTrack

/** A browser whose recognition the test controls. */
function begin({
  packs = { 'en-US': 'available', 'es-ES': 'downloadable' },
  installs = Promise.resolve(true),
  likely = ['en'],
}: {
  packs?: Partial<Record<CaptionLanguage, LanguagePack>>
  installs?: Promise<boolean>
  likely?: readonly string[]
} = {}) {
  const log: string[] = []
  let listener: SpeechListener | undefined
  const speech: OnDeviceSpeech = {
    pack: async language => packs[language as CaptionLanguage] ?? 'unavailable',
    install: language => {
      log.push(`install ${language}`)
      return installs
    },
    start: (language, heard, listens) => {
      expect(heard).toBe(track)
      log.push(`start ${language}`)
      listener = listens
      return () => {
        log.push('stop')
        listener = undefined
      }
    },
  }
  const talk = createCaptions({
    speech: () => speech,
    likelyLanguages: () => likely,
    track: () => track,
    nowMs: () => Date.now(),
    wait: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  })
  return {
    talk,
    log,
    view: () => talk.$captions.get(),
    hear: (finals: readonly string[], interim = '') => listener?.heard(finals, interim),
    stopBy: (error: string | null) => listener?.ended(error),
  }
}

async function turnedOn(options: Parameters<typeof begin>[0] = {}) {
  const all = begin(options)
  await all.talk.begin()
  await all.talk.turnOn()
  return all
}

test('every language of the site can be chosen', () => {
  const folders = readdirSync('src/languages', { withFileTypes: true }).filter(entry => entry.isDirectory())
  const spoken = (tag: string) => new Intl.Locale(tag).language
  expect(new Set(captionLanguages.map(spoken))).toEqual(
    new Set(['en', ...folders.map(({ name }) => spoken(name))]),
  )
})

test('captions are offered in the languages that the browser recognises or can download, and else nowhere', async () => {
  const some = begin()
  expect(some.view()).toEqual({ state: 'unavailable' })
  await some.talk.begin()
  expect(some.view()).toEqual({ state: 'offered', languages: ['en-US', 'es-ES'] })
  const none = begin({ packs: {} })
  await none.talk.begin()
  await none.talk.turnOn()
  expect(none.view()).toEqual({ state: 'unavailable' })
  expect(none.log).toEqual([])
})

test('they begin in the language of the callee’s country, else of the page, else in one that the browser has', async () => {
  const packs = { 'en-US': 'available', 'pt-BR': 'available' } as const
  for (const [likely, language] of [
    [['und-BR', 'en'], 'pt-BR'],
    [['und-DE', 'pt-BR'], 'pt-BR'],
    [['und-PK', 'ur'], 'en-US'],
    [['en-Arab-XB'], 'en-US'],
  ] as const)
    expect((await turnedOn({ packs, likely })).view()).toMatchObject({ state: 'on', language })
})

test('what may still change becomes a phrase once it is final, or when recognition ends', async () => {
  const { hear, stopBy, view } = await turnedOn()
  hear([], 'Hello')
  expect(view()).toMatchObject({ phrases: [], interim: 'Hello' })
  hear(['Hello there.'], 'How')
  expect(view()).toMatchObject({ phrases: ['Hello there.'], interim: 'How' })
  stopBy(null)
  expect(view()).toMatchObject({ phrases: ['Hello there.', 'How'], interim: '' })
  hear(Array.from({ length: 20 }, (_, index) => `late ${index}`))
  vi.advanceTimersByTime(restartMs)
  hear(Array.from({ length: 20 }, (_, index) => `line ${index}`))
  expect(view()).toMatchObject({ phrases: expect.arrayContaining(['line 12', 'line 19']) })
  expect(view()).not.toMatchObject({ phrases: expect.arrayContaining(['line 11']) })
})

test('recognition begins again after a silence, however often', async () => {
  const { stopBy, log, view } = await turnedOn()
  for (let times = 0; times < 5; times += 1) {
    vi.advanceTimersByTime(minRunMs)
    stopBy(times % 2 === 0 ? 'no-speech' : null)
    vi.advanceTimersByTime(restartMs)
  }
  expect(log).toEqual(Array.from({ length: 6 }, () => 'start en-US'))
  expect(view()).toMatchObject({ state: 'on' })
})

test('recognition that only ever ends is not begun for ever', async () => {
  const { stopBy, log, view } = await turnedOn()
  stopBy(null)
  vi.advanceTimersByTime(restartMs)
  stopBy(null)
  vi.advanceTimersByTime(60_000)
  expect(view()).toMatchObject({ state: 'failed', failure: 'recognition' })
  expect(log.filter(each => each.startsWith('start'))).toHaveLength(2)
})

test('a language that was chosen lasts for the call', async () => {
  const packs = { 'en-US': 'available', 'es-ES': 'available' } as const
  const { talk, view } = await turnedOn({ packs })
  await talk.turnOn('es-ES')
  talk.turnOff()
  await talk.turnOn()
  expect(view()).toMatchObject({ language: 'es-ES' })
  talk.end()
  await talk.begin()
  await talk.turnOn()
  expect(view()).toMatchObject({ language: 'en-US' })
})

test('an error that comes again within seconds ends captions, and what was read stays', async () => {
  const { hear, stopBy, log, view } = await turnedOn()
  hear(['Hello.'])
  stopBy('audio-capture')
  vi.advanceTimersByTime(errorsTogetherMs)
  expect(view()).toMatchObject({ state: 'on' })
  stopBy('audio-capture')
  vi.advanceTimersByTime(restartMs)
  stopBy('audio-capture')
  vi.advanceTimersByTime(60_000)
  expect(view()).toMatchObject({ state: 'failed', failure: 'recognition', phrases: ['Hello.'] })
  expect(log.filter(each => each.startsWith('start'))).toHaveLength(3)
})

test('a language pack that is not there is downloaded first, and its failure is said', async () => {
  let arrive: (installed: boolean) => void = () => undefined
  const installs = new Promise<boolean>(resolve => {
    arrive = resolve
  })
  const { talk, view, log } = begin({ installs })
  await talk.begin()
  const on = talk.turnOn('es-ES')
  await vi.waitFor(() => expect(view()).toMatchObject({ state: 'downloading', language: 'es-ES' }))
  arrive(true)
  await on
  expect(view()).toMatchObject({ state: 'on', language: 'es-ES' })
  expect(log).toEqual(['install es-ES', 'start es-ES'])

  const failing = begin({ installs: Promise.resolve(false) })
  await failing.talk.begin()
  await failing.talk.turnOn('es-ES')
  expect(failing.view()).toMatchObject({ state: 'failed', failure: 'download', language: 'es-ES' })
  await failing.talk.turnOn('en-US')
  expect(failing.view()).toMatchObject({ state: 'on', language: 'en-US' })
})

test('with the call captions stop and are gone, even while a language is downloaded', async () => {
  const { talk, hear, log, view } = await turnedOn()
  hear(['My code is 4829.'])
  talk.end()
  expect(view()).toEqual({ state: 'unavailable' })
  expect(log.at(-1)).toBe('stop')

  let arrive: (installed: boolean) => void = () => undefined
  const installs = new Promise<boolean>(resolve => {
    arrive = resolve
  })
  const late = begin({ installs })
  await late.talk.begin()
  const on = late.talk.turnOn('es-ES')
  await vi.waitFor(() => expect(late.view()).toMatchObject({ state: 'downloading' }))
  late.talk.end()
  arrive(true)
  await on
  expect(late.view()).toEqual({ state: 'unavailable' })
  expect(late.log).toEqual(['install es-ES'])
})

test('captions that are turned off hear nothing more, and begin empty', async () => {
  const { talk, hear, stopBy, log, view } = await turnedOn()
  hear(['Hello.'])
  stopBy(null)
  talk.turnOff()
  vi.advanceTimersByTime(10 * restartMs)
  expect(view()).toMatchObject({ state: 'offered' })
  expect(log).toEqual(['start en-US'])
  await talk.turnOn()
  expect(view()).toMatchObject({ state: 'on', phrases: [] })
})
