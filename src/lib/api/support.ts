import * as z from 'zod/mini'
import { emailAddress } from '../account/account.ts'
import { senderName, supportMessage, supportTopic } from '../support.ts'
import { endpoint } from './endpoint.ts'

/** The same message from the same form is sent once and returns the same reference. */
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
  reply: z.object({ reference: z.string() }),
  errors: {},
})
