-- no transaction: referrals are written meanwhile.

-- Two rewards for one card, or for one mailbox, are decided at the same moment: the database lets one of them through.
drop index if exists referral_card_once;
create unique index concurrently referral_card_once on referral (card) where given > 0 and card is not null;
drop index if exists referral_mailbox_once;
create unique index concurrently referral_mailbox_once on referral (mailbox) where given > 0 and mailbox is not null;
