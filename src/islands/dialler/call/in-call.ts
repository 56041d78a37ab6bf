import { followCaptions } from '../captions/dialler-captions.ts'
import { followReturningSound } from '../sound/sound-return.ts'
import { followMuteKey } from './call-keys.ts'
import { followTerms } from './call-terms.ts'
import { followTitle } from './call-title.ts'
import { followLastMinute } from './last-minute.ts'
import { followQuality } from './line-quality.ts'
import { followMediaSession } from './media-session.ts'
import { followMeasures } from './quality-report.ts'
import { followTypedText } from './typed-text.ts'
import { followVibration } from './vibration.ts'
import { followWakeLock } from './wake-lock.ts'

export function followInCall(): void {
  followQuality()
  followMeasures()
  followTerms()
  followLastMinute()
  followTitle()
  followMediaSession()
  followMuteKey()
  followReturningSound()
  followVibration()
  followTypedText()
  followCaptions()
  followWakeLock()
}
