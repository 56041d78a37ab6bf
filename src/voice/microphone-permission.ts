/** Whether the browser would prompt for the microphone; false if unknown. */
export async function willAskForMicrophone(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' as PermissionName })
    return state === 'prompt'
  } catch {
    // Older browsers do not know this permission.
    return false
  }
}
