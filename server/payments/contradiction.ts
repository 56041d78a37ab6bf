/** The provider's report contradicts our database: nothing is written, and an operator must look. */
export class Contradiction extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Contradiction'
  }
}
