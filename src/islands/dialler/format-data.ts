import { currentLanguage } from '#lib/i18n/language.ts'
import { ownScriptUrl } from '#session/trusted-types.ts'
import workerUrl from './format-data-worker.ts?worker&url'

/**
 * Reads the browser's data for numbers, dates and names outside the page's own thread. The first `Intl` object of a process
 * takes Chromium about 20 ms, four times that on a slow phone, and would otherwise hold up a press.
 */
export function readFormatData(): void {
  try {
    new Worker(ownScriptUrl(workerUrl), { type: 'module', name: currentLanguage() })
  } catch (error) {
    // Formats work without it, some milliseconds later.
    console.warn('The format data is not read ahead.', error)
  }
}
