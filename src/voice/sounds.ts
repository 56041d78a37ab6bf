const digitSounds = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 's', 'h'] as const

/**
 * Every sound the voice client may play, from our own server: left to itself it fetches fifteen files from
 * its vendor. A digit gives its own soft tone; the rest is silence, for the page tells it in words.
 */
export const soundFiles: Readonly<Record<string, string>> = {
  incoming: '/sounds/silence.wav',
  outgoing: '/sounds/silence.wav',
  disconnect: '/sounds/silence.wav',
  ...Object.fromEntries(digitSounds.map(digit => [`dtmf${digit}`, `/sounds/dtmf${digit}.wav`])),
}
