/** An error response of Twilio's API with its documented body. */
export class ApiRejection extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.name = 'ApiRejection'
    this.status = status
    this.code = code
  }

  get body(): object {
    const more = `https://www.twilio.com/docs/errors/${this.code}`
    return { code: this.code, message: this.message, more_info: more, status: this.status }
  }
}

/** Rejects what the documentation does not mention, so that tests notice it. */
export function undocumented(message: string): never {
  throw new ApiRejection(400, 20001, message)
}

export function notFound(path: string): never {
  throw new ApiRejection(404, 20404, `The requested resource ${path} was not found`)
}
