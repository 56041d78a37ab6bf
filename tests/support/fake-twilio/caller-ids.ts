import { ApiRejection, notFound } from './rejection.ts'
import type { Webhooks } from './webhooks.ts'

interface CallerId {
  readonly sid: string
  readonly number: string
  readonly name: string
}

interface Request {
  readonly callSid: string
  readonly number: string
  readonly name: string
  readonly code: string
  readonly statusCallback: string | undefined
}

export interface CallerIdTools {
  readonly accountSid: string
  readonly webhooks: Webhooks
  readonly newSid: (kind: string) => string
  readonly newCode: () => string
}

/** The account's caller IDs, and the calls that verify them. */
export class CallerIds {
  readonly verified = new Map<string, CallerId>()
  readonly requests: Request[] = []
  /** Numbers that Twilio does not ring, with its error code. */
  readonly refused = new Map<string, number>()
  readonly #tools: CallerIdTools

  constructor(tools: CallerIdTools) {
    this.#tools = tools
  }

  /** Rings a number. @throws ApiRejection 21450 if it is already verified, or the code in `refused` */
  validate(parameters: Readonly<Record<string, string>>): object {
    const number = parameters['PhoneNumber'] ?? ''
    const code = this.refused.get(number)
    if (code !== undefined) throw new ApiRejection(400, code, 'This number is not called.')
    if ([...this.verified.values()].some(known => known.number === number))
      throw new ApiRejection(400, 21450, 'Phone number already verified for your account.')
    const request = {
      callSid: this.#tools.newSid('CA'),
      number,
      name: parameters['FriendlyName'] ?? number,
      code: this.#tools.newCode(),
      statusCallback: parameters['StatusCallback'],
    }
    this.requests.push(request)
    return {
      account_sid: this.#tools.accountSid,
      call_sid: request.callSid,
      friendly_name: request.name,
      phone_number: number,
      validation_code: request.code,
    }
  }

  /** Answers the last verification call to a number and keys in a code. Undefined: nobody answers. */
  keyIn(number: string, code: string | undefined): void {
    const request = this.requests.findLast(each => each.number === number)
    if (request === undefined) throw new Error('nobody rings this number')
    const right = code === request.code
    const sid = this.#tools.newSid('PN')
    if (right) this.verified.set(sid, { sid, number, name: request.name })
    if (code !== undefined) this.#report(request, { CallStatus: 'in-progress' })
    this.#report(request, {
      CallStatus: code === undefined ? 'no-answer' : 'completed',
      VerificationStatus: right ? 'success' : 'failed',
      ...(right ? { OutgoingCallerIdSid: sid } : {}),
    })
  }

  #report(
    { statusCallback: url, callSid, number }: Request,
    parameters: Readonly<Record<string, string>>,
  ): void {
    if (url === undefined) return
    const { accountSid, webhooks } = this.#tools
    const call = { AccountSid: accountSid, ApiVersion: '2010-04-01', CallSid: callSid }
    webhooks.deliverCallback({ url, parameters: { ...call, Called: number, To: number, ...parameters } })
  }

  list(parameters: Readonly<Record<string, string>>): object[] {
    const { PhoneNumber: number, FriendlyName: name } = parameters
    return [...this.verified.values()]
      .filter(each => (number ?? each.number) === each.number && (name ?? each.name) === each.name)
      .map(each => ({
        sid: each.sid,
        account_sid: this.#tools.accountSid,
        friendly_name: each.name,
        phone_number: each.number,
      }))
  }

  remove(sid: string): void {
    if (!this.verified.delete(sid)) notFound(`OutgoingCallerIds/${sid}.json`)
  }
}
