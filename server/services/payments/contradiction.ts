/** What the provider says cannot be true of our books: nothing is written, and somebody must look. */
export class Contradiction extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Contradiction'
  }
}
