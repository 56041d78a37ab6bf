import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('referrals', {
  title: 'Send someone a line',
  lede: 'Share {company} with people you know, and earn credits when they buy theirs.',
  tryAgain: 'Try again',
  loading: 'Loading your link',
  you: 'You',
  friend: 'A friend',
  yourLink: 'Your link',
  copy: 'Copy',
  copied: 'Link copied.',
  notCopied: "Your browser won't let us copy. Select the link and copy it yourself.",
  joined: 'Joined',
  rewards: 'Rewards',
  earned: 'Earned',
  whoJoined: 'Who joined',
  rewardOn: '{reward} on <day>{date}</day>',
  newest: 'The newest {shown} of {joined}.',
  how: 'How it works',
  share: 'Share your link',
  shareText: 'When someone opens it, their browser remembers you for 60 days.',
  theyBuy: 'They buy credits',
  theyBuyText:
    'Anyone who signs up or first buys there counts as yours. A payment of {min} or more earns your reward {days, number} days later, once they can no longer ask for a refund.',
  youGet: 'You get {reward}',
  youGetText:
    "In credits that never expire, once per person, up to {max} a month. We'll e-mail you when it arrives.",
  terms:
    "You can't refer yourself: your own account, card, device or mailbox earns nothing, and each card or mailbox earns only once. A payment that's refunded, disputed or reported as fraud by then earns nothing. A reward you've received stays yours. You can call with it, but not have it paid to a card.",
  give: 'Would you rather give than share? <send>Send a line</send>, a booklet of credits.',
})

/** Where the reward is, or why there is none. */
export const stateTexts = messages('referral-states', {
  joined: 'Joined, no payment yet',
  pending: 'Bought credits',
  in_review: 'Payment under review',
  paid: 'Reward given',
  returned: 'No reward: payment returned',
  own: 'No reward: your own card, device or mailbox',
  repeated: 'No reward: card or mailbox already counted',
  over_cap: 'No reward: monthly limit reached',
  gone: 'No reward: account deleted',
})
