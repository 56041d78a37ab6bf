import { expect, test } from 'vitest'
import { browserOf } from './browser.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'

test.each([
  ['Chrome on Windows', `${windows} ${blink} Chrome/141.0.0.0 Safari/537.36`, 'chromium 141 windows'],
  ['Chrome on macOS', `${mac} ${blink} Chrome/141.0.0.0 Safari/537.36`, 'chromium 141 macos'],
  [
    'Chrome on ChromeOS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/140.0.0.0 Safari/537.36`,
    'chromium 140 chromeos',
  ],
  [
    'Chromium without a window',
    `Mozilla/5.0 (X11; Linux x86_64) ${blink} HeadlessChrome/156.0.0.0 Safari/537.36`,
    'chromium 156 linux',
  ],
  [
    'Chrome on Android, in a tab and as an installed app',
    `${android} ${blink} Chrome/141.0.0.0 Mobile Safari/537.36`,
    'chromium 141 android',
  ],
  ['Edge', `${windows} ${blink} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'chromium 140 windows'],
  [
    'Samsung Internet, by the version of its engine',
    `${android} ${blink} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'chromium 130 android',
  ],
  [
    'a WebView of Android, which names a version of Safari too',
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) ${blink} Version/4.0 Chrome/139.0.7258.62 Mobile Safari/537.36`,
    'chromium 139 android',
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    'firefox 143 linux',
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0',
    'firefox 143 android',
  ],
  ['Safari on macOS', `${mac} ${webKit} Version/18.4 Safari/605.1.15`, 'webkit 18 macos'],
  ['Safari on iOS', `${iPhone} ${webKit} Version/26.0 Mobile/15E148 Safari/604.1`, 'webkit 26 ios'],
  ['an app on the home screen of iOS', `${iPhone} ${webKit} Mobile/15E148`, 'webkit null ios'],
  [
    'Chrome on iOS, which has the engine of Safari',
    `${iPhone} ${webKit} CriOS/141.0.7390.26 Mobile/15E148 Safari/604.1`,
    'webkit null ios',
  ],
  [
    'Chrome on an iPad that requests desktop pages',
    `${mac} ${webKit} CriOS/141 Version/18.0 Safari/605.1.15`,
    'webkit 18 ios',
  ],
  ['Firefox on iOS', `${iPhone} ${webKit} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`, 'webkit null ios'],
  [
    'Edge on iOS',
    `${iPhone} ${webKit} Version/18.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1`,
    'webkit 18 ios',
  ],
  ['a program', 'curl/8.5.0', 'other null other'],
  ['nothing', undefined, 'other null other'],
  ['a version that no browser has', `${windows} Chrome/99999999999`, 'other null windows'],
])('recognises %s', (_, userAgent, expected) => {
  const { engine, version, system } = browserOf(userAgent)
  expect(`${engine} ${version} ${system}`).toBe(expected)
})
