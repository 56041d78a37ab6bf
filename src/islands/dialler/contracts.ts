/**
 * The contracts of `lazy-parts.ts`. To build their schemas takes 40 ms on a slow phone, so the browser does it in a task of
 * its own.
 */

import '#lib/api/auth.ts'
import '#lib/api/calls.ts'
import '#lib/api/contacts.ts'
import '#lib/api/payments.ts'
import '#lib/calls/real-time-text.ts'
