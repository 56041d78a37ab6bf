import type { HangUpReason } from '#lib/calls/call-end.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import type { CallRow } from '#server/calls/rows.ts'
import type { Services } from '#server/context.ts'
import type { CallControl } from '#server/telephony/port.ts'
import { addCaller, type Caller } from '#support/storm-callers.ts'
import { createLivingNetwork, type LivingNetwork } from '#support/storm-network.ts'
import type { World } from '#support/world.ts'

/** 0.02 USD a minute. */
export const american = '+12125550100'

/** One of several server processes on the same database. */
export interface Process {
  readonly services: Services
  readonly control: CallControl
  readonly network: LivingNetwork
  readonly hungUp: { callId: string; why: HangUpReason }[]
}

/** @param reports what its network says of ended calls, on its way into the books */
export function createProcess(world: World, nodeId: string, reports: Promise<void>[]): Process {
  const hungUp: { callId: string; why: HangUpReason }[] = []
  const network = createLivingNetwork(world.clock, event => {
    if (event.kind === 'ended') reports.push(control.report(event))
  })
  const telephony = {
    ...network,
    hangUp: async (callId: string, why: HangUpReason) => {
      hungUp.push({ callId, why })
      await network.hangUp(callId, why)
    },
  }
  const services: Services = { ...world.services, telephony, nodeId }
  const control = createCallControl(services)
  return { services, control, network, hungUp }
}

let callers = 0
export async function caller(world: World, cents = 10, free = false): Promise<Caller> {
  callers += 1
  return addCaller(world.services, `owner-${callers}`, { cents, free })
}

/** A call that rings. */
export async function place(process: Process, who: Caller, to = american): Promise<string> {
  const placement = await process.control.place({ userId: who.id, to, callerId: undefined })
  if (placement.kind === 'refuse') throw new Error(placement.code)
  process.network.connect(placement.callId, placement.limitMs)
  return placement.callId
}

/** A call that was answered. */
export async function connect(process: Process, who: Caller, to?: string): Promise<string> {
  const callId = await place(process, who, to)
  process.network.answer(callId)
  await process.control.report({ kind: 'answered', callId })
  return callId
}

export async function readCall(world: World, callId: string): Promise<CallRow> {
  const [row] = await world.db.query<CallRow>('select * from call where id = $1', [callId])
  if (row === undefined) throw new Error('no such call')
  return row
}

/** Time passes, and a process that lives writes its heartbeats. */
export async function live(world: World, process: Process, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5000) {
    world.clock.advance(Math.min(5000, ms - passed))
    await recordHeartbeats(process.services, process.network.live())
  }
}
