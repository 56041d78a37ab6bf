/** The dialogs about sound, in one piece that comes when one of them is first opened. */
export { LineCheckDialog } from './LineCheckDialog.tsx'
export { SoundDialog } from './SoundDialog.tsx'
