/** Started by `laySlowCable`: passes each packet from one tunnel to the other, late or not at all. */

import { read, writeSync } from 'node:fs'
import type { LineLimits } from './bad-network-namespace.ts'
import { createChance } from './storm-chance.ts'

const maxPacketBytes = 65_536
/** How long packets wait for a busy line at most, as in a router; later ones are lost. */
const maxQueueMs = 500

const [limitsJson = '', near, far] = process.argv.slice(2)
const { roundTripMs, lossPercent, downKbits, upKbits } = JSON.parse(limitsJson) as LineLimits
const chance = createChance(7)

/** @param kbits null: no limit, as JSON has it */
function forward(from: number, to: number, kbits: number | null): void {
  const packet = Buffer.alloc(maxPacketBytes)
  let freeAtMs = 0
  const next = (): void =>
    read(from, packet, 0, maxPacketBytes, null, (error, bytes) => {
      if (error !== null) throw error
      const nowMs = performance.now()
      if (!chance.happens(lossPercent / 100) && freeAtMs - nowMs < maxQueueMs) {
        freeAtMs = Math.max(freeAtMs, nowMs) + (kbits === null ? 0 : (bytes * 8) / kbits)
        const copy = Buffer.from(packet.subarray(0, bytes))
        setTimeout(() => writeSync(to, copy), freeAtMs - nowMs + roundTripMs / 2)
      }
      next()
    })
  next()
}

forward(Number(near), Number(far), downKbits)
forward(Number(far), Number(near), upKbits)
console.log('open')
