import twilio from 'twilio'
import { expect } from 'vitest'
import { inquireAboutCalls } from '#server/calls/carrier/poll-carrier.ts'
import { sweepCalls } from '#server/calls/carrier/sweep.ts'
import { enforceCarrierCalls } from '#server/calls/metering/enforce-carrier-calls.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { fakeAccount } from '#support/fake-twilio/fake-twilio.ts'
import { publicUrl, type TwilioWorld } from './twilio-world.ts'

/** So much time passes, in which the loops of one process do their turns. */
export async function live(
  world: TwilioWorld,
  ms: number,
  tend: typeof enforceCarrierCalls = enforceCarrierCalls,
): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5000) {
    await world.passTime(Math.min(5000, ms - passed))
    await chargeDueMinutes(world.services)
    await tend(world.services)
    await sweepCalls(world.services)
    await inquireAboutCalls(world.services)
  }
}

export const runJobs = (world: TwilioWorld) =>
  runDueJobs({
    db: world.db,
    clock: world.clock,
    mailer: { send: async () => undefined },
    hangUp: callId => world.twilio.hangUp(callId, 'already_settled'),
    onFailure: ({ kind }) => expect.fail(`a job failed: ${kind}`),
  })

/** The carrier's report about a call, signed. */
export async function reportStatus(world: TwilioWorld, query: string, parameters: Record<string, string>) {
  const path = `/api/webhooks/twilio/status?${query}`
  const form = { AccountSid: fakeAccount.accountSid, ...parameters }
  const signature = twilio.getExpectedTwilioSignature(fakeAccount.authToken, publicUrl + path, form)
  return world.twilio.receive('status', { path, body: new URLSearchParams(form).toString(), signature })
}

export function childOf(world: TwilioWorld, sid: string) {
  const child = world.fake.switchboard.childOf(sid)
  if (child === undefined) throw new Error('no telephone was rung')
  return child
}

/** Somebody hangs up, no report arrives, and the telephone's leg is not listed. */
export function endUnlisted(world: TwilioWorld, sid: string): () => void {
  const child = childOf(world, sid)
  world.fake.webhooks.mode = 'drop'
  world.fake.switchboard.hangUp(sid, 'callee')
  world.fake.switchboard.legs.delete(child.sid)
  return () => void world.fake.switchboard.legs.set(child.sid, child)
}

/** The vendor is as before; calls that are still running do not matter to the next test. */
export async function leaveCalls(world: TwilioWorld): Promise<void> {
  world.fake.webhooks.mode = 'deliver'
  world.fake.switchboard.anybody = { does: 'answers' }
  await world.db.query('update call set inquire_at = null where inquire_at is not null')
  await world.expectSound()
}
