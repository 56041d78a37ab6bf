import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { statusLineMax } from '#lib/calls/status-line.ts'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { languages } from '#support/languages.ts'
import { $notice, dismissNotice, dismissNumberNotice, notify } from '../notice.ts'
import { warnInInstalledApp } from './installed-app.ts'
import { texts } from './installed-app-texts.ts'

beforeEach(dismissNotice)
afterEach(() => {
  vi.unstubAllGlobals()
})

test('an app installed on an iPhone says before a call, also while a number is typed, to stay in it', () => {
  vi.stubGlobal('navigator', { standalone: true })
  warnInInstalledApp()
  dismissNumberNotice()
  expect($notice.get()).toMatchObject({ tone: 'info', text: texts.stay })
})

test('it hides nothing, such as the outcome of a payment', () => {
  vi.stubGlobal('navigator', { standalone: true })
  notify({ tone: 'info', text: 'Paid', about: 'payment' })
  warnInInstalledApp()
  expect($notice.get()?.text).toBe('Paid')
})

test.each([{ standalone: false }, {}])('a tab of Safari and other systems say nothing: %o', navigator => {
  vi.stubGlobal('navigator', navigator)
  warnInInstalledApp()
  expect($notice.get()).toBeNull()
})

test.each([sourceLanguage, ...languages.map(({ tag }) => tag)])('it fits the status line in %s', language => {
  renderIn(language)
  onTestFinished(() => renderIn(sourceLanguage))
  expect(texts.stay.length).toBeLessThanOrEqual(statusLineMax)
})
