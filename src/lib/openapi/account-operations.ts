import * as auth from '../api/auth.ts'
import { me } from '../api/me.ts'
import * as profile from '../api/profile.ts'
import * as secondFactor from '../api/second-factor.ts'
import * as signIn from '../api/sign-in.ts'
import * as spending from '../api/spending.ts'
import { fileOperation, type OperationGroup, operation } from './operation.ts'

const sameForEveryAddress = 'The response is the same whether or not the address has an account.'

const ownersProof = 'Within 10 minutes of logging in, the password may be empty.'

export const accountOperations: readonly OperationGroup[] = [
  {
    id: 'sign-in',
    name: 'Login',
    about:
      'An access token, valid for 15 minutes by default, and a refresh cookie. A program keeps both: when the token expires, it uses the cookie to get another.',
    operations: {
      register: operation(
        auth.register,
        'Open an account',
        `Sends a link to confirm the address. ${sameForEveryAddress}`,
      ),
      resendVerification: operation(
        auth.resendVerification,
        'Send the confirmation link again',
        sameForEveryAddress,
      ),
      verifyEmail: operation(
        auth.verifyEmail,
        'Confirm an e-mail address',
        'With the token from the e-mailed link.',
      ),
      login: operation(
        signIn.login,
        'Log in',
        "Returns the access token and sets the refresh cookie. Works before the address is confirmed; calling doesn't.",
      ),
      refreshToken: operation(
        signIn.refreshToken,
        'Get a new access token',
        'Reads the refresh cookie and sets the next one. Reusing an old refresh cookie ends the session.',
      ),
      startSecondFactor: operation(
        secondFactor.startSecondFactor,
        'See how the second step can be completed',
        'After second_factor_required, which sets the cookie that identifies the user.',
      ),
      secondFactorCode: operation(
        secondFactor.secondFactorCode,
        'Log in with a code as the second step',
        'Up to ten wrong codes in 15 minutes.',
      ),
      startPasskeySignIn: operation(secondFactor.startPasskeySignIn, 'Begin logging in with a passkey'),
      passkeySignIn: operation(
        secondFactor.passkeySignIn,
        'Log in with a passkey',
        'On its own or as the second step, whichever was begun.',
      ),
      logout: operation(signIn.logout, 'Log out', 'Ends the session that the refresh cookie belongs to.'),
      forgotPassword: operation(
        auth.forgotPassword,
        'Ask for a link to choose a new password',
        sameForEveryAddress,
      ),
      checkResetLink: operation(
        auth.checkResetLink,
        'See whether a link for a new password still works',
        'Does not use it up.',
      ),
      resetPassword: operation(
        auth.resetPassword,
        'Choose a new password',
        'Logs every device out, and this one in. The link works once, for 30 minutes.',
      ),
      confirmEmailChange: operation(
        profile.confirmEmailChange,
        'Confirm a new e-mail address',
        'With the token from the e-mailed link.',
      ),
    },
  },
  {
    id: 'account',
    name: 'Account',
    about: 'The logged-in user, and everything they can change or download.',
    operations: {
      me: operation(me, 'The logged-in user'),
      getProfile: operation(profile.getProfile, 'The profile'),
      changeName: operation(profile.changeName, 'Change the name'),
      changeEmail: operation(
        profile.changeEmail,
        'Change the e-mail address',
        'Sends a link to the new address. The old one stays until that link is opened.',
      ),
      cancelEmailChange: operation(profile.cancelEmailChange, 'Cancel a change of address'),
      changePassword: operation(
        profile.changePassword,
        'Change the password',
        'Logs every other device out.',
      ),
      devices: operation(profile.devices, 'The devices that are logged in'),
      signOutDevice: operation(profile.signOutDevice, 'Log one device out', ownersProof),
      signOutOthers: operation(profile.signOutOthers, 'Log every other device out', ownersProof),
      getSecurity: operation(secondFactor.getSecurity, 'Passkeys, the authenticator app, and recovery codes'),
      startPasskey: operation(secondFactor.startPasskey, 'Begin adding a passkey', ownersProof),
      addPasskey: operation(
        secondFactor.addPasskey,
        'Add a passkey',
        'The first second factor comes with ten recovery codes.',
      ),
      removePasskey: operation(secondFactor.removePasskey, 'Remove a passkey', ownersProof),
      startAuthenticator: operation(
        secondFactor.startAuthenticator,
        'Begin adding an authenticator app',
        ownersProof,
      ),
      confirmAuthenticator: operation(
        secondFactor.confirmAuthenticator,
        'Add an authenticator app',
        'Within an hour of beginning.',
      ),
      removeAuthenticator: operation(
        secondFactor.removeAuthenticator,
        'Remove the authenticator app',
        ownersProof,
      ),
      makeRecoveryCodes: operation(
        secondFactor.makeRecoveryCodes,
        'Make ten new recovery codes',
        'The old ones stop working.',
      ),
      removeSavedCard: operation(
        profile.removeSavedCard,
        'Forget the saved card',
        'Also turns auto top-up off.',
      ),
      getSpending: operation(spending.getSpending, 'Spending limits for calls, and locked countries'),
      changeCaps: operation(
        spending.changeCaps,
        'Set limits on what calls spend',
        'A limit left out stays as it is. A raised limit extends calls in progress; a lowered one applies from the next call.',
      ),
      lockCountries: operation(
        spending.lockCountries,
        'Lock and unlock calls to countries',
        'Countries in neither list stay as they are.',
      ),
      heardAbout: operation(
        profile.heardAbout,
        'Say how you heard about us',
        'Only the first answer counts.',
      ),
      exportData: fileOperation({
        path: profile.exportPath,
        auth: 'bearer',
        summary: 'Everything we keep about you, as a zip',
        description: 'Each table as JSON and as CSV. One at a time.',
        mediaType: 'application/zip',
        saveAs: 'my-data.zip',
        schema: undefined,
      }),
      deleteAccount: operation(
        profile.deleteAccount,
        'Delete the account',
        'At once and for good, including any balance left.',
      ),
    },
  },
]
