/** The part of a pino logger that the exchange uses. Details hold ids and codes, never numbers or tokens. */
export interface Logger {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
