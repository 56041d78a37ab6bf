import { countryRate, numberRate } from '#lib/api/rates.ts'
import type { Services } from '../../context.ts'
import { failed } from '../../http/failure.ts'
import type { Mount } from '../../http/mount.ts'
import { quoteCountry, quoteNumber } from './quote.ts'
import { rejectionMessages } from './rejections.ts'

export function mountRates(mount: Mount, services: Services): void {
  mount(countryRate, async ({ params }) => {
    const quote = quoteCountry(services, params.isoCode)
    if (quote !== undefined) return quote
    throw failed(countryRate, 'unsupported_destination', rejectionMessages().unsupported_destination)
  })
  mount(numberRate, async ({ params, query }) => {
    const quote = quoteNumber(services, params.fullNumber, query.from)
    if (quote !== undefined) return quote
    throw failed(numberRate, 'unsupported_destination', rejectionMessages().unsupported_destination)
  })
}
