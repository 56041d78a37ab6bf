import { messages } from '#lib/i18n/messages.ts'

/** How to dial countries whose plans need a sentence of their own. Sources: ITU-T E.129; MX August 2019, CI January 2021, BJ November 2024. */
export const ownAdvice = messages('dial-advice', {
  AR: "Argentine mobiles change the most. At home they're 0, the area code, 15 and the number. From abroad, drop the 0 and the 15 and put a 9 after +54. Landlines only lose the 0.",
  BJ: 'Every number in Benin has ten digits and begins with 01; keep that 0. A number with eight digits is an old one: put 01 in front of it.',
  BR: 'Within Brazil, people dial 0 and the two digits of a phone company before the area code. From abroad, leave those out. Always dial the area code; mobiles have a 9 after it.',
  BY: "Within Belarus, people dial 8 and then 0 first. From abroad, leave out both: after +375 comes the area code or the mobile network's two digits.",
  CI: "Keep the 0 at the front, it's part of the number: numbers in Côte d’Ivoire have ten digits. One with eight digits is from before 2021 and no longer works.",
  HU: 'Within Hungary, long numbers begin with 06. From abroad, leave out both digits.',
  IT: "Italian landlines keep their 0: drop it and the call won't connect. Mobiles begin with a 3 and have no 0 to keep. The Vatican’s numbers, 06 698, are dialled like those in Rome.",
  KZ: "Within Kazakhstan, long numbers begin with 8. From abroad, leave out the 8. The number itself begins with a 7, right after the country code's 7: dial both.",
  MX: 'Ten digits after +52, for mobiles as for landlines. Leave out the 01, 044 or 045 you may find on old letterheads, and the 1 after +52.',
  RU: 'Within Russia, long numbers begin with 8. From abroad, +7 takes its place.',
})
