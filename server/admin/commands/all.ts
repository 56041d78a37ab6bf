import { carrierCdrsCommand } from './carrier-cdrs.ts'
import type { Command } from './command.ts'
import { callsCommand, paymentsCommand, userCommand } from './look-up.ts'
import { opsLinkCommand, opsSessionsCommand } from './ops.ts'
import { creditCommand, refundCommand, releaseCommand } from './payments.ts'
import { pricesCommand } from './prices.ts'
import { reconcileCommand } from './reconcile.ts'
import { blockCommand, unblockCommand } from './restrict.ts'
import { resetSecondFactorCommand, signOutCommand } from './sign-out.ts'

export const commands: readonly Command[] = [
  userCommand,
  callsCommand,
  paymentsCommand,
  creditCommand,
  refundCommand,
  releaseCommand,
  blockCommand,
  unblockCommand,
  signOutCommand,
  resetSecondFactorCommand,
  reconcileCommand,
  pricesCommand,
  carrierCdrsCommand,
  opsLinkCommand,
  opsSessionsCommand,
]

const width = Math.max(...commands.map(({ synopsis }) => synopsis.length))

export const usage = `Usage: npm run admin -- <command>

${commands.map(({ synopsis, does }) => `  ${synopsis.padEnd(width)}  ${does}`).join('\n')}

The server must run on this machine, as the same system user. Who did what, when and why is written to the audit log.`
