import { followContacts } from '#shared/contacts.ts'
import { followInCall } from './call/in-call.ts'
import { followLeftCall } from './call/left-call.ts'
import { followCallable } from './call/prepare-call.ts'
import { followCalls } from './call-ended/after-call.ts'
import { feedback } from './feedback/feedback.ts'
import { readFormatData } from './format-data.ts'
import { warnInInstalledApp } from './installed-app/installed-app.ts'
import { nextTask } from './next-task.ts'
import { followCaution } from './number/follow-caution.ts'
import { followNight } from './number/follow-night.ts'
import { followPrefix } from './number/follow-prefix.ts'
import { followRejection } from './number/follow-rejection.ts'
import { followOwnLimit } from './number/own-limit.ts'
import { followPendingNumber } from './number/pending-number.ts'
import { followPayment } from './payment-return.ts'
import { subscribeToServerEvents } from './server-events.ts'
import { followTestLink } from './test-call/test-call.ts'
import { wizard } from './tutorial/wizard.ts'

/** Starts what the dialler does besides calling, in several tasks; one chunk, loaded once the phone is usable. */
export async function follow(): Promise<void> {
  readFormatData()
  // What is entered by these counts as entered by the user. A number to call after a payment comes before a pending one.
  followPrefix()
  void followPayment()
  followPendingNumber()
  followContacts()
  followOwnLimit()
  followTestLink()
  await nextTask()
  followCaution()
  followRejection()
  followNight()
  followCalls()
  void followLeftCall()
  subscribeToServerEvents()
  await nextTask()
  feedback.follow()
  wizard.offer()
  followInCall()
  followCallable()
  warnInInstalledApp()
}
