import { atom, type ReadableAtom } from 'nanostores'
import { bestLanguage } from '#lib/i18n/best-language.ts'
import type { OnDeviceSpeech } from './on-device-speech.ts'

/** Languages of the site, with the region whose speech the browsers' language packs are made for. */
export const captionLanguages = [
  'en-US',
  'es-ES',
  'fr-FR',
  'hi-IN',
  'ar-EG',
  'bn-BD',
  'fil-PH',
  'pl-PL',
  'pt-BR',
  'uk-UA',
  'ur-PK',
  'zh-CN',
] as const
export type CaptionLanguage = (typeof captionLanguages)[number]

/** Recognition ends at each silence, and begins again after this pause. */
export const restartMs = 250
/** Two errors within this time end captions. */
export const errorsTogetherMs = 10_000
/** Recognition that ends sooner, and has heard nothing, counts as an error. */
export const minRunMs = 1_000
const phrasesShown = 8

interface Offer {
  /** Those that this browser recognises on the device, at least one. */
  readonly languages: readonly CaptionLanguage[]
}

interface Session extends Offer {
  readonly language: CaptionLanguage
  /** The newest is the last. */
  readonly phrases: readonly string[]
}

/** `failed`: the language pack did not arrive (`download`), or recognition stopped twice (`recognition`). */
export type Captions =
  | { readonly state: 'unavailable' }
  | ({ readonly state: 'offered' } & Offer)
  | ({ readonly state: 'downloading' } & Session)
  | ({ readonly state: 'on'; readonly interim: string } & Session)
  | ({ readonly state: 'failed'; readonly failure: 'download' | 'recognition' } & Session)

/** Captions that the user asked for, with or without success. */
export type ShownCaptions = Exclude<Captions, { readonly state: 'unavailable' | 'offered' }>

export function isShown(captions: Captions): captions is ShownCaptions {
  return captions.state !== 'unavailable' && captions.state !== 'offered'
}

export interface CaptionsPorts {
  /** Null where the browser has none. */
  readonly speech: () => OnDeviceSpeech | null
  /** BCP 47 tags of what the callee may speak, the likeliest first. */
  readonly likelyLanguages: () => readonly string[]
  /** What the callee's sound arrives in; null without a call. */
  readonly track: () => MediaStreamTrack | null
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  /** @returns cancels it */
  readonly wait: (ms: number, callback: () => void) => () => void
}

export interface CallCaptions {
  readonly $captions: ReadableAtom<Captions>
  /** A call has begun: asks the browser which languages it has. */
  begin(): Promise<void>
  /** Turns captions on, or to another language. Does nothing where none are offered. */
  turnOn(language?: CaptionLanguage): Promise<void>
  turnOff(): void
  /** The call is over: nothing of it is left. */
  end(): void
}

const unavailable: Captions = { state: 'unavailable' }

/** Captions of a page's calls, one after the other: the only writer of what they show. */
export function createCaptions({ speech, likelyLanguages, track, nowMs, wait }: CaptionsPorts): CallCaptions {
  const $captions = atom<Captions>(unavailable)
  /** Counts requests. What the browser answers to an earlier one is ignored. */
  let turn = 0
  /** Lasts for the call: the next callee may speak another language. */
  let chosenLanguage: CaptionLanguage | undefined
  let stop = () => {}
  let failedAtMs = Number.NEGATIVE_INFINITY

  function nextTurn(): number {
    stop()
    stop = () => {}
    turn += 1
    return turn
  }

  function listen(recogniser: OnDeviceSpeech, session: Session): void {
    const { language, languages } = session
    let phrases = session.phrases
    let interim = ''
    const show = () => $captions.set({ state: 'on', languages, language, phrases, interim })
    const again = (failed: boolean) => {
      phrases = newest(phrases, [interim])
      interim = ''
      show()
      if (failed) {
        const atMs = nowMs()
        if (atMs - failedAtMs < errorsTogetherMs) {
          nextTurn()
          $captions.set({ state: 'failed', failure: 'recognition', languages, language, phrases })
          return
        }
        failedAtMs = atMs
      }
      stop = wait(restartMs, run)
    }
    const run = () => {
      const sound = track()
      if (sound === null) {
        again(true)
        return
      }
      const startedAtMs = nowMs()
      let silent = true
      stop = recogniser.start(language, sound, {
        heard: (finals, open) => {
          silent = false
          phrases = newest(phrases, finals)
          interim = open
          show()
        },
        ended: error => {
          const tooSoon = silent && nowMs() - startedAtMs < minRunMs
          again(tooSoon || (error !== null && error !== 'no-speech'))
        },
      })
    }
    show()
    run()
  }

  return {
    $captions,
    async begin() {
      const asked = nextTurn()
      chosenLanguage = undefined
      $captions.set(unavailable)
      const recogniser = speech()
      if (recogniser === null) return
      const packs = await Promise.all(captionLanguages.map(language => recogniser.pack(language)))
      const languages = captionLanguages.filter((_, index) => packs[index] !== 'unavailable')
      if (asked === turn && languages.length > 0) $captions.set({ state: 'offered', languages })
    },
    async turnOn(chosen) {
      const before = $captions.get()
      const recogniser = speech()
      if (before.state === 'unavailable' || recogniser === null) return
      const { languages } = before
      chosenLanguage = chosen ?? chosenLanguage
      const language = chosenLanguage ?? defaultLanguage(languages, likelyLanguages())
      const asked = nextTurn()
      failedAtMs = Number.NEGATIVE_INFINITY
      const session: Session = { languages, language, phrases: isShown(before) ? before.phrases : [] }
      if ((await recogniser.pack(language)) !== 'available') {
        if (asked !== turn) return
        $captions.set({ state: 'downloading', ...session })
        const installed = await recogniser.install(language)
        if (asked === turn && !installed) {
          $captions.set({ state: 'failed', failure: 'download', ...session })
          return
        }
      }
      if (asked === turn) listen(recogniser, session)
    },
    turnOff() {
      const before = $captions.get()
      if (!isShown(before)) return
      nextTurn()
      $captions.set({ state: 'offered', languages: before.languages })
    },
    end() {
      nextTurn()
      $captions.set(unavailable)
    },
  }
}

function newest(phrases: readonly string[], more: readonly string[]): readonly string[] {
  return [...phrases, ...more.filter(text => text !== '')].slice(-phrasesShown)
}

function defaultLanguage(languages: readonly CaptionLanguage[], likely: readonly string[]): CaptionLanguage {
  return (bestLanguage(likely, languages) ?? languages[0]) as CaptionLanguage
}
