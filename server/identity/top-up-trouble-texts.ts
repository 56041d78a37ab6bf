import { messages } from '#lib/i18n/messages.ts'

export const notices = messages('auto-top-up-notices', {
  declined: 'Your card was declined, so auto top-up failed. Buy credits to keep calling.',
  authentication_required: 'Your bank wants you to approve the top-up. Buy credits and approve it there.',
  card_gone: "Auto top-up is off: we can't charge your card. Buy credits to save another one.",
  limit: 'Auto top-up has reached its limit for now. Buy credits to keep calling.',
  review: "Your card wasn't charged: above {sum} a day we review payments. Contact support.",
  unreachable: "We couldn't reach our payment provider to top up. Buy credits to keep calling.",
  pausedDeclined: 'Auto top-up is paused: your card was declined again. Go to Buy Credits.',
  pausedApproval: 'Auto top-up is paused: your bank wants you to approve it. Go to Buy Credits.',
})
