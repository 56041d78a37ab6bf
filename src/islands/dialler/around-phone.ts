/** What stands around the phone, in one piece that comes once the phone can be used: dialogs, and the column. */
export { FeedbackPrompt } from '../feedback/FeedbackPrompt.tsx'
export { Tutorial } from '../tutorial/Tutorial.tsx'
export { Beside } from './Beside.tsx'
export { CountryPicker } from './CountryPicker.tsx'
export { MicrophoneHelp } from './MicrophoneHelp.tsx'
export { PriceConfirmation } from './PriceConfirmation.tsx'
export { RemoveCallerIdDialog } from './RemoveCallerIdDialog.tsx'
export { VerifyCallerIdDialog } from './VerifyCallerIdDialog.tsx'
