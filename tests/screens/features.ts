import type { Walk } from './album.ts'
import { account } from './features/account.ts'
import { call } from './features/call.ts'
import { callEnded } from './features/call-ended.ts'
import { callerId } from './features/caller-id.ts'
import { contacts } from './features/contacts.ts'
import { dialler } from './features/dialler.ts'
import { feedback } from './features/feedback.ts'
import { gifts } from './features/gifts.ts'
import { histories } from './features/histories.ts'
import { local } from './features/local.ts'
import { money } from './features/money.ts'
import { ops } from './features/ops.ts'
import { profile } from './features/profile.ts'
import { shareCall } from './features/share-call.ts'
import { signUpSheet } from './features/sign-up-sheet.ts'
import { site } from './features/site.ts'
import { stampAlbum } from './features/stamp-album.ts'
import { topUp } from './features/top-up.ts'
import { tutorial } from './features/tutorial.ts'

/** By the name that the command takes, in the order of a new user's way. */
export const features: ReadonlyMap<string, Walk> = new Map([
  ['site', site],
  ['sign-up-sheet', signUpSheet],
  ['account', account],
  ['tutorial', tutorial],
  ['dialler', dialler],
  ['call', call],
  ['call-ended', callEnded],
  ['top-up', topUp],
  ['feedback', feedback],
  ['share-call', shareCall],
  ['caller-id', callerId],
  ['contacts', contacts],
  ['money', money],
  ['gifts', gifts],
  ['histories', histories],
  ['profile', profile],
  ['stamp-album', stampAlbum],
  ['local', local],
  ['ops', ops],
])
