import { $notice, notify } from '../notice.ts'
import { texts } from './installed-app-texts.ts'

/**
 * Only iPhones and iPads have `standalone`. There an installed app loses the microphone in the background, which a tab of
 * Safari keeps; so far nobody has shown otherwise.
 */
export function warnInInstalledApp(): void {
  const { standalone } = navigator as { readonly standalone?: boolean }
  if (standalone && $notice.get() === null) notify({ tone: 'info', text: texts.stay, about: 'installed_app' })
}
