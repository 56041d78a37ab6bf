import { messages } from '#lib/i18n/messages.ts'

export const lineCheckTexts = messages('line-check', {
  figures:
    '{roundTrip} ms round trip, {loss, select, none {no loss} little {under 1% loss} other {{percent} loss}} arriving, {jitter} ms jitter',
  mayNotBeHeard: 'Nobody may hear you.',
  listenOnly: 'You can listen, but nobody will hear you.',
  noSound: 'No sound gets through. Try another network, or switch a VPN off.',
  unreachable: 'Calls cannot start while the service is out of reach.',
  /** 0 seconds: less than one. */
  lag: 'Calls would lag by {seconds, plural, =0 {about half a second} one {about a second} other {about # seconds}}.',
  loss: 'Words would get lost.',
  jitter: 'Sound would be choppy.',
  network: 'Move nearer the router, use a cable, or pause downloads.',
  vpn: 'A VPN that is switched on may be the reason.',
  speakerUnheard: 'You would not hear them.',
  readyTitle: 'Ready to call',
  ready: 'Expect a clear line, like an ordinary phone.',
})

/** While the line is steady. */
export const untriedTexts = messages('line-check-speaker', {
  untried: 'The line is steady. Play the tone to try your speaker.',
  playing: 'The line is steady. Listen for the tone.',
  asked: 'The line is steady. Did you hear the tone?',
  failed: 'The line is steady. Your speaker could not be tried.',
})
