import type { Walk } from './album.ts'
import { account } from './features/account.ts'
import { call } from './features/call.ts'
import { callEnded } from './features/call-ended.ts'
import { contacts } from './features/contacts.ts'
import { dialler } from './features/dialler.ts'
import { histories } from './features/histories.ts'
import { local } from './features/local.ts'
import { money } from './features/money.ts'
import { ops } from './features/ops.ts'
import { profile } from './features/profile.ts'
import { site } from './features/site.ts'
import { tutorial } from './features/tutorial.ts'

/** By the name that the command takes, in the order of a new user's way. */
export const features: ReadonlyMap<string, Walk> = new Map([
  ['site', site],
  ['account', account],
  ['tutorial', tutorial],
  ['dialler', dialler],
  ['call', call],
  ['call-ended', callEnded],
  ['contacts', contacts],
  ['money', money],
  ['histories', histories],
  ['profile', profile],
  ['local', local],
  ['ops', ops],
])
