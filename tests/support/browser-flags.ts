/** No requests to outside hosts, and a synthetic microphone that needs no permission. */
export const quietBrowserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

export const browserFlags = [
  ...quietBrowserFlags,
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]
