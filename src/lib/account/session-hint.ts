/** Readable cookie that signals a refresh cookie; with TLS its name starts with `__Host-`. Holds no secret. */
export const sessionHintName = 'signed-in'
