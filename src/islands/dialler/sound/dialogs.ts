/** One chunk with all sound dialogs, loaded when the first of them opens. */
export { LineCheckDialog } from './LineCheckDialog.tsx'
export { SoundDialog } from './SoundDialog.tsx'
