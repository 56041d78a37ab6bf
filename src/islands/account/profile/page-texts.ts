import { messages } from '#lib/i18n/messages.ts'

export const page = messages('profile-page', {
  title: 'Profile',
  description:
    'Your details, numbers, card, password and logged-in devices, a copy of your data, and how to delete your account.',
})
