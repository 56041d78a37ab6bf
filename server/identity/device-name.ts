import { identity } from './identity-texts.ts'

export interface DeviceName {
  /** In English, such as `Chrome on macOS`. */
  readonly name: string
  readonly kind: 'phone' | 'tablet' | 'computer' | 'unknown'
}

export const unknownDevice: DeviceName = { name: 'Unknown device', kind: 'unknown' }

/** The first match counts: most browsers also name those that they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string, DeviceName['kind']])[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMacintosh\b/, 'macOS', 'computer'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'computer'],
]

const longestUserAgent = 500

/** Omits versions, so that an update makes no new device. An iPad that requests desktop pages looks like a Mac. */
export function deviceName(userAgent: string | undefined): DeviceName {
  const text = userAgent?.slice(0, longestUserAgent) ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1]
  const [, system, kind] = systems.find(([pattern]) => pattern.test(text)) ?? []
  if (system === undefined || kind === undefined) {
    return browser === undefined ? unknownDevice : { name: browser, kind: 'unknown' }
  }
  return { name: browser === undefined ? `A browser on ${system}` : `${browser} on ${system}`, kind }
}

/** The name of a device in the language of its reader. @param name as stored, in English */
export function deviceText(name: string): string {
  if (name === unknownDevice.name) return identity.unknownDevice
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? []
  if (browser === undefined || system === undefined) return name
  return browser === 'A browser'
    ? identity.browserOn({ system })
    : identity.namedBrowserOn({ browser, system })
}
