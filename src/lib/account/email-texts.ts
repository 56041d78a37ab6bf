/** Also where no schema is loaded, such as at the login. */
export const noEmailText = "That isn't an e-mail address yet. It needs an @, like you@example.com."
