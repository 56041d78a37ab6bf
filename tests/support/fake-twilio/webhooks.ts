import twilio from 'twilio'

/** A request of the vendor's to us. */
export interface Callback {
  /** The address that is configured, and signed. */
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * What becomes of callbacks: `deliver` at once and in order; `hold` until a test releases them, in an order of its own;
 * `drop`: lost on the way; `twice`: each delivered twice.
 */
export type DeliveryMode = 'deliver' | 'hold' | 'drop' | 'twice'

export interface Delivered extends Callback {
  /** 0: nobody answered. */
  readonly status: number
  readonly body: string
}

export interface Webhooks {
  mode: DeliveryMode
  /** The next request reaches us, and our answer to it never arrives. */
  losesNextAnswer: boolean
  /** Callbacks that are held, oldest first. A test takes out, doubles and turns round as it likes. */
  readonly held: Callback[]
  /** Every answer that we gave, oldest first. */
  readonly delivered: readonly Delivered[]
  /** Asks and waits for the answer, whatever the mode: what the vendor cannot go on without. */
  ask(callback: Callback): Promise<Delivered>
  /** Tells, as the mode has it. */
  tell(callback: Callback): void
  /** Waits until everything that was told has been taken. */
  settled(): Promise<void>
  /** Delivers what is held, in the order in which it is held then. */
  release(): Promise<void>
}

/** How long the vendor waits for an answer, in milliseconds. */
const patienceMs = 15_000

export interface WebhookTools {
  readonly authToken: string
  /** Where our public address is really found: the requests to it go there. */
  readonly deliverTo: (url: string) => string
}

/** Delivers signed requests, signed by the vendor's own function over the address as it is configured. */
export function createWebhooks({ authToken, deliverTo }: WebhookTools): Webhooks {
  const delivered: Delivered[] = []
  const held: Callback[] = []
  let line = Promise.resolve()

  async function ask(callback: Callback): Promise<Delivered> {
    const { url, parameters } = callback
    const signature = twilio.getExpectedTwilioSignature(authToken, url, parameters)
    const answer = await fetch(deliverTo(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'x-twilio-signature': signature,
        'user-agent': 'TwilioProxy/1.1',
      },
      body: new URLSearchParams(parameters).toString(),
      signal: AbortSignal.timeout(patienceMs),
    })
      .then(async reply => ({ status: reply.status, body: await reply.text() }))
      .catch(() => ({ status: 0, body: '' }))
    const lost = webhooks.losesNextAnswer
    webhooks.losesNextAnswer = false
    delivered.push({ ...callback, ...answer })
    return { ...callback, ...(lost ? { status: 0, body: '' } : answer) }
  }

  const webhooks: Webhooks = {
    mode: 'deliver',
    losesNextAnswer: false,
    held,
    delivered,
    ask,
    tell(callback) {
      if (webhooks.mode === 'drop') return
      if (webhooks.mode === 'hold') return void held.push(callback)
      const times = webhooks.mode === 'twice' ? 2 : 1
      for (let time = 0; time < times; time++) {
        line = line.then(async () => void (await ask(callback)))
      }
    },
    settled: async () => {
      for (let seen: Promise<void> | undefined; seen !== line; ) {
        seen = line
        await seen
      }
    },
    async release() {
      for (const callback of held.splice(0)) await ask(callback)
    },
  }
  return webhooks
}
