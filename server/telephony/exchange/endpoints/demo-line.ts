import type { AudioPacket } from '../media/audio-packet.ts'
import { type AudioSource, echo, repeat } from '../media/audio-source.ts'
import { type ClipName, clipOfDigit, type Digit, spoken } from '../media/clips.ts'
import { gentleToneLoop, ringbackLoop, ringMs } from '../media/tones.ts'
import type { Endpoint, EndpointCall, EndpointControl } from './endpoint.ts'

/**
 * The endpoint of ordinary numbers. 1 speaks digits, 2 echoes, 3 plays 1004 Hz, `*` is the menu, `#` hangs up.
 * @param language one of `spokenLanguages`
 */
export function demoLine(language: string): Endpoint {
  return { codecs: ['pcmu'], answerWith: control => new DemoCall(control, language) }
}

type Mode = 'ringing' | 'menu' | 'digits' | 'echo' | 'tone' | 'leaving'

class DemoCall implements EndpointCall {
  readonly #control: EndpointControl
  readonly #language: string
  readonly #echo = echo()
  #mode: Mode = 'ringing'

  constructor(control: EndpointControl, language: string) {
    this.#control = control
    this.#language = language
    control.ring()
  }

  connected(): void {
    this.#control.play([repeat(ringbackLoop)])
    this.#control.after(ringMs, () => {
      this.#control.answer()
      this.#enter('menu', [this.#say('greeting'), this.#say('menu')])
    })
  }

  digit(digit: Digit): void {
    if (this.#mode === 'leaving') return
    const name: readonly AudioSource[] = this.#mode === 'digits' ? [this.#say(clipOfDigit(digit))] : []
    if (digit === '#') {
      this.#mode = 'leaving'
      this.#control.play([...name, this.#say('goodbye')], () => this.#control.hangUp('callee_hung_up'))
    } else if (digit === '*') {
      this.#enter('menu', [...name, this.#say('menu')])
    } else if (this.#mode === 'digits') {
      this.#control.add(this.#say(clipOfDigit(digit)))
    } else if (this.#mode === 'menu') {
      this.#choose(digit)
    }
  }

  audio({ payload }: AudioPacket): void {
    if (this.#mode === 'echo') this.#echo.receive(payload)
  }

  #choose(digit: Digit): void {
    if (digit === '1') this.#enter('digits', [])
    if (digit === '2') this.#enter('echo', [this.#echo])
    if (digit === '3') this.#enter('tone', [repeat(gentleToneLoop)])
  }

  #say(name: ClipName): AudioSource {
    return spoken(name, this.#language)
  }

  #enter(mode: Mode, sources: readonly AudioSource[]): void {
    this.#mode = mode
    this.#control.play(sources)
  }
}
