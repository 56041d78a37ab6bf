import * as z from 'zod/mini'
import { emailAddress } from '../rules/account.ts'
import { senderName, supportMessage, supportTopic } from '../rules/support.ts'
import { endpoint } from './endpoint.ts'

/**
 * Sends a message to support by mail; the answer comes by e-mail. The same message sent again from the same
 * form is one mail and gets the same reference; a message that was changed is another one.
 */
export const support = endpoint({
  method: 'POST',
  path: '/api/support',
  auth: 'none',
  body: z.object({
    /** 16 random bytes in hexadecimal, chosen by the form when it is opened. */
    formId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    name: senderName,
    email: emailAddress,
    about: supportTopic,
    message: supportMessage,
  }),
  status: 202,
  /** What the visitor and we call the message: `S-4K7M2Q`. */
  reply: z.object({ reference: z.string() }),
  errors: {},
})
