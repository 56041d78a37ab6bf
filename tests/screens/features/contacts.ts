import { expect } from 'playwright/test'
import { dial, saveNumber, signUp } from '#support/people.ts'
import type { Walk } from '../album.ts'

const book = ['Aunt Rose|+33 6 12 34 56 78', 'Jörg Müller|+49 221 5550184', 'Hotline|+44 909 879 0000']
  .map(line => line.split('|'))
  .map(([name, number]) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nTEL:${number}\r\nEND:VCARD\r\n`)
  .join('')

/** People: none, some, one of them, and their dialogs. */
export const contacts: Walk = async ({ page, shoot }) => {
  await signUp(page)
  const button = page.getByRole('button', { name: /^Contacts/ }).first()
  await button.click()
  await expect(page.getByText('No saved contacts yet.').first()).toBeVisible()
  await shoot('none', { whole: false })
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2125550111')
  await page.getByRole('button', { name: '+ Save this number' }).click()
  await shoot('save', { whole: false })
  await page.keyboard.press('Escape')
  for (const [number, name] of [
    ['2125550104', 'Aunt Rose'],
    ['+919876543210', 'Mum'],
    ['+4930901820123', 'Maximiliane Theodora von Hohenfels-Oberstein'],
  ] as const) {
    await saveNumber(page, number, name)
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await dial(page, '2125550104')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText(/Talked/).first()).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  await shoot('dialler')
  await button.click()
  const list = page.getByRole('dialog', { name: 'Your Contacts' })
  await shoot('list', { whole: false })

  await list.getByRole('button', { name: /^Mum/ }).click()
  const mum = page.getByRole('dialog', { name: 'Mum' })
  await mum.getByLabel('Notes').fill('Rings twice if she naps.')
  await mum.getByRole('button', { name: 'Favourite Mum' }).click()
  await shoot('one', { whole: false })
  await mum.getByLabel('Name').fill(' ')
  await mum.getByRole('button', { name: 'Save changes' }).click()
  await expect(mum).toContainText('Enter a name for this contact.')
  await shoot('one-rejected', { whole: false })
  await mum.getByLabel('Name').fill('Mother')
  await mum.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog', { name: 'Mother' }).getByRole('button', { name: 'Delete' }).click()
  await expect(list.getByText('Contact deleted')).toBeVisible()
  await shoot('deleted', { whole: false })

  await list.getByRole('button', { name: 'Import' }).click()
  const imports = page.getByRole('dialog', { name: 'Import contacts' })
  await shoot('import', { whole: false })
  await imports
    .locator('input[type=file]')
    .setInputFiles({ name: 'book.vcf', mimeType: 'text/vcard', buffer: Buffer.from(book) })
  await expect(imports).toContainText('2 contacts ready to save.')
  await shoot('import-read', { whole: false })
  await imports.getByRole('button', { name: 'Save 2 contacts' }).click()
  await expect(imports).toContainText('2 contacts saved.')
  await shoot('import-saved', { whole: false })
  await imports.getByRole('button', { name: 'Done' }).click()
  await list.getByRole('button', { name: 'Export' }).click()
  await shoot('exported', { whole: false })
}
