export { type Breach, findBreaches, invariants } from '#server/books.ts'
