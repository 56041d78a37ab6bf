import { expect, test } from 'vitest'
import { inLanguage, openLanguages } from '../languages/languages.ts'
import { deviceText } from './device-name.ts'

openLanguages()

test.each([
  ['en', ['Chrome on macOS', 'A browser on Linux', 'Firefox', 'Unknown device']],
  ['es', ['Chrome en macOS', 'Un navegador en Linux', 'Firefox', 'Dispositivo desconocido']],
])('names devices in %s', (language, devices) => {
  const stored = ['Chrome on macOS', 'A browser on Linux', 'Firefox', 'Unknown device']
  expect(inLanguage(language, () => stored.map(deviceText))).toEqual(devices)
})
