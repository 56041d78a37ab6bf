import { expect, test } from 'vitest'
import { deviceName } from '#server/identity/device-name.ts'

const mozilla = 'Mozilla/5.0'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iPhone = `${mozilla} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)`
const mac = `${mozilla} (Macintosh; Intel Mac OS X 10_15_7)`
const windows = `${mozilla} (Windows NT 10.0; Win64; x64)`
const android = `${mozilla} (Linux; Android 10; K) ${webkit}`

test.each([
  [`${mac} ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on macOS', 'computer'],
  [
    `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    'Safari on macOS',
    'computer',
  ],
  [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows', 'computer'],
  [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0`, 'Opera on Windows', 'computer'],
  [
    `${windows} Gecko/20100101 Firefox/143.0`.replace('x64)', 'x64; rv:143.0)'),
    'Firefox on Windows',
    'computer',
  ],
  [
    `${mozilla} (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`,
    'Chrome on Linux',
    'computer',
  ],
  [
    `${mozilla} (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`,
    'Chrome on ChromeOS',
    'computer',
  ],
  [`${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone', 'phone'],
  [`${iPhone} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone', 'phone'],
  [`${iPhone} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone', 'phone'],
  [`${iPhone} Version/18.5 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Edge on iPhone', 'phone'],
  [
    iPhone.replaceAll('iPhone', 'iPad').concat(' Version/17.4 Mobile/15E148 Safari/604.1'),
    'Safari on iPad',
    'tablet',
  ],
  [`${android} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android', 'phone'],
  [`${android} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Android', 'tablet'],
  [
    `${android} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
    'phone',
  ],
  [`${mozilla} (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0`, 'Firefox on Android', 'phone'],
  [`${mozilla} (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko`, 'A browser on Windows', 'computer'],
  ['Firefox/143.0', 'Firefox', 'unknown'],
  ['curl/8.5.0', 'Unknown device', 'unknown'],
  ['', 'Unknown device', 'unknown'],
  [undefined, 'Unknown device', 'unknown'],
  [`${'x'.repeat(500)} Chrome/140 (Windows)`, 'Unknown device', 'unknown'],
])('%s is %s', (userAgent, name, kind) => {
  expect(deviceName(userAgent)).toEqual({ name, kind })
})

test('an update of a browser makes no new device', () => {
  const version = (number: number) => deviceName(`${mac} ${webkit} Chrome/${number}.0.0.0 Safari/537.36`)
  expect(version(140)).toEqual(version(141))
})
