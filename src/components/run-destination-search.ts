import { searchDestinations } from './destination-search.ts'

// Inlined as a whole: Astro would make a file of a module that another page shares.
searchDestinations()
