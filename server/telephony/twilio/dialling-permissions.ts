import * as z from 'zod/mini'
import type { TwilioSettings } from '../../config.ts'
import { checkTimeoutMs } from '../../process/finding.ts'

export interface DiallingPermission {
  /** ISO 3166-1 alpha-2. One entry may cover several countries of one code: `US` is the United States and Canada. */
  readonly isoCode: string
  readonly name: string
  /** Country codes without the plus. */
  readonly codes: readonly string[]
  readonly lowRisk: boolean
  /** Premium rate, special services, shared cost and the like. */
  readonly highRiskSpecial: boolean
  /** Ranges known for toll fraud; the vendor does not publish which. */
  readonly highRiskTollFraud: boolean
}

export class PermissionsUnreadable extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the dialling permissions were answered with ${status}`)
    this.name = 'PermissionsUnreadable'
    this.status = status
  }
}

const country = z.object({
  iso_code: z.string(),
  name: z.string(),
  country_codes: z.array(z.string()),
  low_risk_numbers_enabled: z.boolean(),
  high_risk_special_numbers_enabled: z.boolean(),
  high_risk_tollfraud_numbers_enabled: z.boolean(),
})
const highRiskPrefix = z.object({ prefix: z.string() })
const meta = z.object({ next_page_url: z.nullable(z.string()) })

type Asking = Pick<TwilioSettings, 'accountSid' | 'authToken' | 'apiUrl'>

const maxPages = 20
const pageSize = 1000

/** Every country that the vendor knows. @throws PermissionsUnreadable; what `fetch` throws */
export async function listPermissions(settings: Asking): Promise<readonly DiallingPermission[]> {
  const found = await listAll(settings, '/v1/DialingPermissions/Countries', country)
  return found.map(one => ({
    isoCode: one.iso_code,
    name: one.name,
    codes: one.country_codes.map(digitsOf),
    lowRisk: one.low_risk_numbers_enabled,
    highRiskSpecial: one.high_risk_special_numbers_enabled,
    highRiskTollFraud: one.high_risk_tollfraud_numbers_enabled,
  }))
}

/** Digits with the country code, without the plus. @throws PermissionsUnreadable; what `fetch` throws */
export async function listHighRiskPrefixes(settings: Asking, isoCode: string): Promise<readonly string[]> {
  const path = `/v1/DialingPermissions/Countries/${isoCode}/HighRiskSpecialPrefixes`
  return (await listAll(settings, path, highRiskPrefix)).map(({ prefix }) => digitsOf(prefix))
}

/** The vendor sometimes writes `+1(510) 720`. */
function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}

async function listAll<Item extends z.ZodMiniType>(
  { accountSid, authToken, apiUrl }: Asking,
  path: string,
  item: Item,
): Promise<z.output<Item>[]> {
  const reply = z.object({ content: z.array(item), meta })
  const all: z.output<Item>[] = []
  let next: string | null = `${path}?PageSize=${pageSize}`
  for (let page = 0; next !== null && page < maxPages; page += 1) {
    const answer: Response = await fetch(`${voiceUrlOf(apiUrl)}${next}`, {
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
      signal: AbortSignal.timeout(checkTimeoutMs - 500),
    })
    const read = reply.safeParse(await answer.json().catch(() => undefined))
    if (!answer.ok || !read.success) throw new PermissionsUnreadable(answer.status)
    all.push(...read.data.content)
    const following: string | null = read.data.meta.next_page_url
    // Only the path: requests stay on the configured host, whatever the answer names.
    next = following === null ? null : pathOf(following)
  }
  return all
}

function pathOf(address: string): string | null {
  const url = URL.parse(address)
  return url === null ? null : url.pathname + url.search
}

/** The voice API has its own host, also in a region: api.twilio.com, voice.twilio.com. Any other address is a stand-in. */
export function voiceUrlOf(apiUrl: string): string {
  return apiUrl.replace(/^https:\/\/api\.(?=(?:[\w-]+\.)*twilio\.com$)/, 'https://voice.')
}
