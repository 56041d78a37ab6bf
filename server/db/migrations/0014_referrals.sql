-- Who came by whose link, and what that has earned. Transfers: referral:<referee>, and behind it back:<n> and again:<n>
-- for what a refund or dispute took back of it and what was given again. They name no payment: it is another user's.

-- Made when its owner first looks at it.
alter table app_user add column referral_code text unique check (referral_code ~ '^[a-z2-9]{8}$');

-- The provider's name for the card itself, as of a saved one: nobody earns by a card of their own.
alter table payment add column if not exists card_fingerprint text;

-- The code that came with a sign-up counts once its address is confirmed, as the password chosen with it does.
alter table email_confirmation add column referral_code text check (length(referral_code) <= 100);

create table referral (
  referee_id uuid primary key references app_user,
  -- No foreign key: it would lock that user after this one, and two who refer each other would wait for ever.
  referrer_id uuid not null,
  joined_at timestamptz not null,
  -- The payment that was judged: the referee's first of the amount that counts. Null until there is one.
  payment_id uuid unique references payment,
  -- Micro-dollars, as they held when it was judged: what it earns, and how much of the payment has to stay paid.
  reward bigint not null default 0 check (reward >= 0),
  least bigint not null default 0 check (least >= 0),
  -- Why it earns nothing: the referee has paid with a card of the referrer's, or calls from a device of theirs.
  refusal text check (refusal in ('own_card', 'own_device')),
  -- How the books stand, which change with these three: what the referrer has of it now, what of a reward that was taken
  -- back their balance did not hold any more, and how often it was given, taken back and given again.
  given bigint not null default 0 check (given in (0, reward)),
  lost bigint not null default 0 check (lost >= 0 and lost <= reward),
  changes int not null default 0,
  -- News of the referee's payments that the reward does not follow yet.
  due_at timestamptz,
  check (referrer_id <> referee_id),
  check (refusal is null or reward = 0),
  check (given = 0 or lost = 0)
);
create index referral_of on referral (referrer_id, joined_at desc, referee_id);
create index referral_due on referral (due_at) where due_at is not null;
