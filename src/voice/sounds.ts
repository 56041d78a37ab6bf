const digitSounds = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 's', 'h'] as const

/** From our own server: by default the client fetches fifteen files from its vendor. Silent but for digits. */
export const soundFiles: Readonly<Record<string, string>> = {
  incoming: '/sounds/silence.wav',
  outgoing: '/sounds/silence.wav',
  disconnect: '/sounds/silence.wav',
  ...Object.fromEntries(digitSounds.map(digit => [`dtmf${digit}`, `/sounds/dtmf${digit}.wav`])),
}
