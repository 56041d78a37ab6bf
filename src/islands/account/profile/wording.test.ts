import { afterEach, expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'
import spanish from '../../../languages/es/profile.json' with { type: 'json' }
import { deviceText, sizeText } from './wording.ts'

addLanguage('es', { profile: spanish })
afterEach(() => renderIn(sourceLanguage))

test.each([
  ['en', ['Chrome on macOS', 'A browser on Linux', 'Firefox', 'Unknown device'], ['12 KB', '3.0 MB']],
  [
    'es',
    ['Chrome en macOS', 'Un navegador en Linux', 'Firefox', 'Dispositivo desconocido'],
    ['12 KB', '3,0 MB'],
  ],
])('names devices and sizes in %s', (language, devices, sizes) => {
  renderIn(language)
  expect(['Chrome on macOS', 'A browser on Linux', 'Firefox', 'Unknown device'].map(deviceText)).toEqual(
    devices,
  )
  expect([11_001, 3_000_000].map(sizeText)).toEqual(sizes)
})
