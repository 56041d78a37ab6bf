import { messages } from '../i18n/messages.ts'

export const postage = messages('postage', {
  basis: 'A stamp for an international letter from the United States costs {price} (USPS, 13 July 2025).',
})
