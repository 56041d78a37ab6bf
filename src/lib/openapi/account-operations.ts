import * as auth from '../api/auth.ts'
import { me } from '../api/me.ts'
import * as profile from '../api/profile.ts'
import * as secondFactor from '../api/second-factor.ts'
import * as signIn from '../api/sign-in.ts'
import * as spending from '../api/spending.ts'
import { fileOperation, type OperationGroup, operation } from './operation.ts'

const sameForEveryAddress = 'The answer is the same whether or not the address has an account.'

const ownersProof = 'Within 10 minutes of a sign-in the password may be empty.'

export const accountOperations: readonly OperationGroup[] = [
  {
    id: 'sign-in',
    name: 'Sign-in',
    about:
      'An access token, of 15 minutes by default, and a refresh cookie. A program keeps both: when the token has run out, it asks for another one with the cookie.',
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
        'With the token of the mailed link.',
      ),
      login: operation(
        signIn.login,
        'Sign in',
        'Answers with the access token and sets the refresh cookie. It works before the address is confirmed; calling does not.',
      ),
      refreshToken: operation(
        signIn.refreshToken,
        'Get a new access token',
        'Reads the refresh cookie and sets the next one. A refresh cookie that was used before ends the session.',
      ),
      startSecondFactor: operation(
        secondFactor.startSecondFactor,
        'See what the second step can be done with',
        'After second_factor_required, whose cookie says for whom.',
      ),
      secondFactorCode: operation(
        secondFactor.secondFactorCode,
        'Sign in with a code as the second step',
        'Ten may be wrong in 15 minutes.',
      ),
      startPasskeySignIn: operation(secondFactor.startPasskeySignIn, 'Begin signing in with a passkey'),
      passkeySignIn: operation(
        secondFactor.passkeySignIn,
        'Sign in with a passkey',
        'Alone or as the second step, whichever was begun.',
      ),
      logout: operation(signIn.logout, 'Sign out', 'Ends the session that the refresh cookie belongs to.'),
      forgotPassword: operation(
        auth.forgotPassword,
        'Ask for a link to choose a new password',
        sameForEveryAddress,
      ),
      checkResetLink: operation(
        auth.checkResetLink,
        'See whether a link for a new password still works',
        'Uses nothing up.',
      ),
      resetPassword: operation(
        auth.resetPassword,
        'Choose a new password',
        'Signs every device out, and this one in. The link works once, for 30 minutes.',
      ),
      confirmEmailChange: operation(
        profile.confirmEmailChange,
        'Confirm a new e-mail address',
        'With the token of the mailed link.',
      ),
    },
  },
  {
    id: 'account',
    name: 'Account',
    about: 'Who is signed in, and all that they may change or take along.',
    operations: {
      me: operation(me, 'The signed-in user'),
      getProfile: operation(profile.getProfile, 'The profile'),
      changeName: operation(profile.changeName, 'Change the name'),
      changeEmail: operation(
        profile.changeEmail,
        'Change the e-mail address',
        'Sends a link to the new address. The old one stays until that link is opened.',
      ),
      cancelEmailChange: operation(profile.cancelEmailChange, 'Give up a change of address'),
      changePassword: operation(
        profile.changePassword,
        'Change the password',
        'Signs every other device out.',
      ),
      devices: operation(profile.devices, 'The devices that are signed in'),
      signOutDevice: operation(profile.signOutDevice, 'Sign one device out', ownersProof),
      signOutOthers: operation(profile.signOutOthers, 'Sign every other device out', ownersProof),
      getSecurity: operation(secondFactor.getSecurity, 'Passkeys, the authenticator app, and recovery codes'),
      startPasskey: operation(secondFactor.startPasskey, 'Begin adding a passkey', ownersProof),
      addPasskey: operation(
        secondFactor.addPasskey,
        'Add a passkey',
        'The first second factor brings ten recovery codes.',
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
        'Within an hour.',
      ),
      removeAuthenticator: operation(
        secondFactor.removeAuthenticator,
        'Remove the authenticator app',
        ownersProof,
      ),
      makeRecoveryCodes: operation(
        secondFactor.makeRecoveryCodes,
        'Make ten new recovery codes',
        'Those before are void.',
      ),
      removeSavedCard: operation(
        profile.removeSavedCard,
        'Forget the saved card',
        'Also turns auto top-up off.',
      ),
      getSpending: operation(spending.getSpending, 'What calls may spend, and the countries that are locked'),
      changeCaps: operation(
        spending.changeCaps,
        'Set limits on what calls spend',
        'What is left out stays. A raised limit lengthens calls in progress; a lowered one counts from the next call.',
      ),
      lockCountries: operation(
        spending.lockCountries,
        'Lock and unlock calls to countries',
        'Countries in neither list stay as they are.',
      ),
      heardAbout: operation(profile.heardAbout, 'Say how you heard about us', 'The first answer stays.'),
      exportData: fileOperation({
        path: profile.exportPath,
        auth: 'bearer',
        summary: 'Everything that we keep about you, as a zip',
        description: 'Each table as JSON and as CSV. One at a time.',
        mediaType: 'application/zip',
        saveAs: 'my-data.zip',
        schema: undefined,
      }),
      deleteAccount: operation(
        profile.deleteAccount,
        'Delete the account',
        'At once and for good, with what is left of the balance.',
      ),
    },
  },
]
