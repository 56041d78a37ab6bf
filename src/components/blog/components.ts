import CallButton from './CallButton.astro'
import DialExample from './DialExample.astro'
import RateCard from './RateCard.astro'

/** What an article may use without importing it; docs/editing.md describes each. */
export const articleComponents = { CallButton, DialExample, RateCard }
