/** `downloadable`: the browser can download it. The names are the specification's. */
export type LanguagePack = 'available' | 'downloadable' | 'downloading' | 'unavailable'

export interface SpeechListener {
  /** The phrases that are final since the last call, and what may still change. */
  readonly heard: (finals: readonly string[], interim: string) => void
  /** Once, after which nothing follows. @param error the code of the specification; null where it just ended */
  readonly ended: (error: string | null) => void
}

/** Recognition of speech that the browser does by itself: no sound and no text leaves the device. */
export interface OnDeviceSpeech {
  /** @param language BCP 47 */
  pack(language: string): Promise<LanguagePack>
  /** @returns whether the language pack is on the device */
  install(language: string): Promise<boolean>
  /** @returns stops it; the listener hears nothing more */
  start(language: string, track: MediaStreamTrack, listener: SpeechListener): () => void
}

interface SpeechResults {
  readonly resultIndex: number
  readonly results: SpeechRecognitionResultList
}

interface Recognition extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  processLocally: boolean
  start(track: MediaStreamTrack): void
  abort(): void
}

interface LanguageOptions {
  readonly langs: readonly string[]
  readonly processLocally: true
}

/** https://webaudio.github.io/web-speech-api/ of May 2026; TypeScript has its results, and not this class. */
interface RecognitionClass {
  new (): Recognition
  available(options: LanguageOptions): Promise<LanguagePack>
  install(options: LanguageOptions): Promise<boolean>
}

/** Null in a browser that cannot promise to recognise on the device. */
export function findOnDeviceSpeech(): OnDeviceSpeech | null {
  const { SpeechRecognition: found } = globalThis as { SpeechRecognition?: unknown }
  if (typeof found !== 'function' || !('available' in found)) return null
  const Recognition = found as unknown as RecognitionClass
  if (!('processLocally' in Recognition.prototype)) return null
  return {
    pack: language => Recognition.available(options(language)).catch((): LanguagePack => 'unavailable'),
    install: language => Recognition.install(options(language)).catch(() => false),
    start: (language, track, listener) => start(new Recognition(), language, track, listener),
  }
}

function options(language: string): LanguageOptions {
  return { langs: [language], processLocally: true }
}

function start(
  recognition: Recognition,
  language: string,
  track: MediaStreamTrack,
  { heard, ended }: SpeechListener,
): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const end = (error: string | null) => {
    listening.abort()
    recognition.abort()
    ended(error)
  }
  recognition.processLocally = true
  recognition.lang = language
  recognition.continuous = true
  recognition.interimResults = true
  recognition.addEventListener(
    'result',
    event => {
      const { resultIndex, results } = event as Event & SpeechResults
      const all = [...results]
      heard(all.slice(resultIndex).filter(isFinal).map(textOf), all.filter(isOpen).map(textOf).join(' '))
    },
    { signal },
  )
  // Chromium 156 sends no `end` after the error for a language whose pack is not there.
  recognition.addEventListener('error', event => end((event as Event & { error: string }).error), { signal })
  recognition.addEventListener('end', () => end(null), { signal })
  try {
    recognition.start(track)
  } catch {
    // The track is not live.
    queueMicrotask(() => {
      if (!signal.aborted) end('audio-capture')
    })
  }
  return () => {
    listening.abort()
    recognition.abort()
  }
}

function isFinal(result: SpeechRecognitionResult): boolean {
  return result.isFinal
}

function isOpen(result: SpeechRecognitionResult): boolean {
  return !result.isFinal
}

function textOf(result: SpeechRecognitionResult): string {
  return result[0]?.transcript.trim() ?? ''
}
