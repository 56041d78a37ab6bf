/** Somebody who has called before and may call: the server's answer about them. */
export const exampleUser = {
  id: 'u1',
  email: 'a@example.com',
  email_verified: true,
  credits: 5,
  has_used_free_call: true,
  auto_topup_enabled: false,
  can_call: true,
  hide: false,
  has_submitted_feedback: false,
  has_made_call: true,
  hasSavedPaymentMethod: false,
}
