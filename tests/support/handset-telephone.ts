import { createHandset, type HandsetPorts } from '#islands/dev/handset/handset-line.ts'
import type { HandsetSettings } from '#islands/dev/handset/handset-settings.ts'
import { success } from '#lib/result.ts'
import type { HandsetLineEvent } from '#voice/handset-port.ts'

export const number = '+919876543210'
export const caller = '+447700900142'
export const granted = (token = 't1') =>
  ({
    ok: true,
    value: { token, ttlSeconds: 600, route: { kind: 'exchange', path: '/exchange' }, number },
  }) as const
export const refused = (code: 'number_taken' | 'invalid_number' | 'offline') =>
  ({ ok: false, code, message: '', status: code === 'offline' ? 0 : 409, body: null }) as const

/** An exchange and a sound that the test controls, and that record their requests. */
export function openTelephone(ports: Partial<HandsetPorts> = {}, set: Partial<HandsetSettings> = {}) {
  const log: string[] = []
  const settings: HandsetSettings = { number, whenItRings: 'answer', says: 'tone', ...set }
  const tellers: ((event: HandsetLineEvent) => void)[] = []
  const claims: Parameters<HandsetPorts['claim']>[0][] = []
  const telephone = createHandset({
    settings: () => settings,
    claim: async body => {
      claims.push(body)
      return granted(`t${claims.length}`)
    },
    loadHandset: async () => (credential, onEvent) => {
      tellers.push(onEvent)
      log.push(`open ${credential.token}`)
      return {
        answer: () => log.push('answer'),
        decline: () => {
          log.push('decline')
          onEvent({ kind: 'ended', ending: 'declined' })
        },
        hangUp: () => {
          log.push('hang up')
          onEvent({ kind: 'ended', ending: 'hung_up' })
        },
        sendText: message => log.push(`text ${JSON.stringify(message)}`),
        updateToken: token => log.push(`token ${token}`),
        close: () => log.push('close'),
      }
    },
    openSound: async says => {
      log.push(`sound ${says}`)
      return success({
        // As much of a stream as a telephone touches: the browser's own cannot be had here.
        stream: {} as unknown as MediaStream,
        press: key => log.push(`key ${key}`),
        setMuted: muted => log.push(muted ? 'mute' : 'unmute'),
        close: () => log.push('silence'),
      })
    },
    tryMicrophone: async () => {
      log.push('try the microphone')
      return null
    },
    ring: () => {
      log.push('ring')
      return () => log.push('stop ringing')
    },
    nowMs: () => performance.now(),
    wait: (ms, callback) => {
      setTimeout(callback, ms)
    },
    ...ports,
  })
  const emit = (event: HandsetLineEvent) => tellers.at(-1)?.(event)
  return { telephone, settings, log, claims, tellers, emit, state: () => telephone.$handset.get() }
}

export async function waiting(ports: Partial<HandsetPorts> = {}, set: Partial<HandsetSettings> = {}) {
  const all = openTelephone(ports, set)
  await all.telephone.claim()
  all.emit({ kind: 'registered' })
  return all
}

export async function talking() {
  const all = await waiting()
  all.emit({ kind: 'ringing', from: caller })
  await all.telephone.answer()
  all.emit({ kind: 'answered' })
  all.emit({ kind: 'sound_passes' })
  return all
}
