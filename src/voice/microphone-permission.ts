/** Whether the browser would ask before it opens the microphone; false too where it does not tell. */
export async function willAskForMicrophone(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' as PermissionName })
    return state === 'prompt'
  } catch {
    // Older browsers know no such permission.
    return false
  }
}
