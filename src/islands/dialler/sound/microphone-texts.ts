import { endReasonTexts } from '#lib/calls/end-reasons.ts'
import type { TriedMicrophone } from './microphone-level.ts'

type MicrophoneFailure = Extract<TriedMicrophone, { readonly state: 'failed' }>['code']

/** Why the microphone failed when tried, and what to do about it. */
export const microphoneTrouble: Readonly<Record<MicrophoneFailure, string>> = {
  microphone_denied:
    'Your browser blocks the microphone for this site. Press the icon beside the address, allow the microphone, then try again.',
  microphone_missing: 'No microphone found. Connect or switch one on, then try again.',
  microphone_busy: 'Another app uses the microphone. Close it, then try again.',
  browser_unsupported: endReasonTexts.browser_unsupported,
  page_insecure: endReasonTexts.page_insecure,
}
