/**
 * Chromium heeds the last of several `--disable-features`, so this repeats Playwright's own list. The two that it adds keep every
 * new window from preparing the pop-ups of an address bar that nobody sees: a quarter of what it costs to open a page.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

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
  `--disable-features=${disabledFeatures.join()}`,
]

export const browserFlags = [
  ...quietBrowserFlags,
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]
